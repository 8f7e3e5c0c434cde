extension NormalCondition {
  /// Returns this condition with its texts replaced.
  ///
  /// - Parameter replace: Returns the replacement for a text of the field with the given number.
  package func replacingTexts(
    _ replace: (_ text: String, _ field: Int) -> String
  ) -> NormalCondition {
    switch self {
    case .constant: self
    case .test(let test): .test(test.replacingTexts(replace))
    case .all(let parts): .all(parts.map { $0.replacingTexts(replace) })
    case .any(let parts): .any(parts.map { $0.replacingTexts(replace) })
    }
  }
}

extension FieldTest {
  fileprivate func replacingTexts(_ replace: (String, Int) -> String) -> FieldTest {
    let number = index + 1
    let question: Question =
      switch question {
      case .codes, .isPresent: question
      case .isOneOf(let texts): .isOneOf(Self.canonical(texts.map { replace($0, number) }))
      case .comparison(let comparison, let text): .comparison(comparison, replace(text, number))
      case .hasPrefix(let text): .hasPrefix(replace(text, number))
      case .intersects(let texts): .intersects(Self.canonical(texts.map { replace($0, number) }))
      }
    return FieldTest(index: index, kind: kind, question: question, isWanted: isWanted)
  }
}
