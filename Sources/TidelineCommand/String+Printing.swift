extension String {
  /// Returns the text padded on the left to a width.
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// Returns the text padded on the right to a width.
  func rightPadded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// Returns as much as fits, without characters that would move a terminal's cursor or end the
  /// line.
  func printable(columns: Int) -> String {
    let isWhole = prefix(columns + 1).count <= columns
    let shown = isWhole ? self[...] : prefix(columns - 1) + "…"
    return String(String.UnicodeScalarView(shown.unicodeScalars.map(\.printable)))
  }

  /// The text without characters that would move a terminal's cursor, except tabs and ends of
  /// lines.
  var printable: String {
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 })
    else { return self }
    let scalars = unicodeScalars.map { $0 == "\n" || $0 == "\t" ? $0 : $0.printable }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension Unicode.Scalar {
  fileprivate var printable: Unicode.Scalar {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    default: self
    }
  }
}
