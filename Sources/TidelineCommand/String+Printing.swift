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
}

extension Unicode.Scalar {
  fileprivate var printable: Unicode.Scalar {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    default: self
    }
  }
}
