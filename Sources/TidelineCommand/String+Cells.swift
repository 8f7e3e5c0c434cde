extension StringProtocol {
  /// The number of a terminal's cells that the text takes, without line ends.
  var cells: Int { reduce(0) { $0 + $1.cells } }
}

extension Character {
  /// The number of a terminal's cells that the character takes when it is printable: two for those
  /// of East Asia and for emoji, none for marks that stand alone.
  var cells: Int {
    guard let first = unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .control: return unicodeScalars.count
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return first.printable == first ? 0 : 1
    default: break
    }
    let isEmoji =
      first.properties.isEmojiPresentation || unicodeScalars.contains { $0.value == 0xFE0F }
    return isEmoji || Self.wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The blocks whose characters terminals show twice as wide.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
