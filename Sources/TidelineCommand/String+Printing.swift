extension String {
  /// Returns the text padded on the left to a width.
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - cells)) + self
  }

  /// Returns the text padded on the right to a width.
  func rightPadded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - cells))
  }

  /// Returns as much as fits, without characters that would move a terminal's cursor or end the
  /// line.
  func printable(columns: Int) -> String {
    var shown = self[...]
    var (width, cut) = (0, startIndex)
    for index in indices {
      width += self[index].cells
      if width < columns { cut = self.index(after: index) }
      guard width <= columns else {
        shown = self[..<cut] + "…"
        break
      }
    }
    return String(String.UnicodeScalarView(shown.unicodeScalars.map(\.printable)))
  }

  /// The text without characters that would move a terminal's cursor, except tabs and ends of
  /// lines, of which each is one character.
  var printable: String {
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 })
    else { return self }
    var result = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in unicodeScalars {
      if isAfterReturn, scalar != "\n" { result.append(Unicode.Scalar.replacement) }
      isAfterReturn = scalar == "\r"
      guard !isAfterReturn else { continue }
      result.append(scalar == "\n" || scalar == "\t" ? scalar : scalar.printable)
    }
    if isAfterReturn { result.append(Unicode.Scalar.replacement) }
    return String(result)
  }
}

extension Unicode.Scalar {
  fileprivate static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// The scalar, unless it would move a terminal's cursor or reverse what follows on its line.
  var printable: Unicode.Scalar {
    switch (properties.generalCategory, value) {
    case (.control, _), (.lineSeparator, _), (.paragraphSeparator, _): Self.replacement
    case (_, 0x202A...0x202E), (_, 0x2066...0x2069): Self.replacement
    default: self
    }
  }
}
