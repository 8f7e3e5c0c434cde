extension NormalCondition {
  /// Returns this condition with its texts replaced, in normal form.
  ///
  /// Texts that begin with a prefix lie between it and its last continuation. A test for a prefix
  /// becomes two tests for this, where replacements keep the order of a field's texts.
  ///
  /// - Parameters:
  ///   - replace: Returns the replacement for a text of the field with the given number.
  ///   - keepsOrder: Returns whether replacements keep the order of a text among the field's.
  package func replacingTexts(
    _ replace: (_ text: String, _ field: Int) -> String,
    keepsOrder: (_ text: String, _ field: Int) -> Bool
  ) -> NormalCondition {
    switch self {
    case .constant: return self
    case .test(let test):
      guard case .hasPrefix(let prefix) = test.question, keepsOrder(prefix, test.index + 1) else {
        return .test(test.replacingTexts(replace))
      }
      let bounds = test.between(prefix, prefix + FieldTest.lastCharacter)
      return .joined(bounds.map { .test($0.replacingTexts(replace)) }, isAll: test.isWanted)
    case .all(let parts):
      let others = parts.map { $0.replacingTexts(replace, keepsOrder: keepsOrder) }
      return .joined(others, isAll: true)
    case .any(let parts):
      let others = parts.map { $0.replacingTexts(replace, keepsOrder: keepsOrder) }
      return .joined(others, isAll: false)
    }
  }
}

extension FieldTest {
  /// The last character that texts are made of.
  fileprivate static let lastCharacter = "\u{10FFFD}"

  /// Returns the tests for a text between two, with the same wanted answer.
  fileprivate func between(_ lower: String, _ upper: String) -> [FieldTest] {
    [with(.comparison(.greaterOrEqual, lower)), with(.comparison(.lessOrEqual, upper))]
  }

  fileprivate func replacingTexts(_ replace: (String, Int) -> String) -> FieldTest {
    let number = index + 1
    switch question {
    case .codes, .isPresent: return self
    case .isOneOf(let texts):
      return with(.isOneOf(Self.canonical(texts.map { replace($0, number) })))
    case .comparison(let comparison, let text):
      return with(.comparison(comparison, replace(text, number)))
    case .hasPrefix(let text): return with(.hasPrefix(replace(text, number)))
    case .intersects(let texts):
      return with(.intersects(Self.canonical(texts.map { replace($0, number) })))
    }
  }
}
