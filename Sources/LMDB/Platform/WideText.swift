/// Text in UTF-8 beyond ASCII.
extension RawSpan {
  /// Whether the bytes are valid UTF-8.
  ///
  /// - Complexity: O(*n*), without allocation.
  package var isUTF8: Bool {
    var place = 0
    while place < byteCount {
      if byte(at: place) < 0x80 {
        place += 1
      } else {
        let length = wideLength(at: place)
        guard length > 0 else { return false }
        place += length
      }
    }
    return true
  }

  /// Returns the length in bytes of the character beyond ASCII that begins at an offset, or 0 if
  /// none does.
  package func wideLength(at place: Int) -> Int {
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch byte(at: place) {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0...0)
      }
    guard length > 0, place + length <= byteCount, second.contains(byte(at: place + 1)) else {
      return 0
    }
    for offset in 2..<max(length, 2) {
      guard byte(at: place + offset) & 0xC0 == 0x80 else { return 0 }
    }
    return length
  }
}
