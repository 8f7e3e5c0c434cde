extension NormalCondition {
  /// Returns this condition with its texts replaced.
  ///
  /// Texts that begin with a prefix lie between it and its last continuation. A test for a prefix
  /// becomes a test for this, where replacements keep the order of a field's texts.
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
      if case .hasPrefix(let prefix) = test.question, keepsOrder(prefix, test.index + 1) {
        return test.between(prefix, prefix + FieldTest.lastCharacter)
          .replacingTexts(replace, keepsOrder: keepsOrder)
      }
      return .test(test.replacingTexts(replace))
    case .all(let parts):
      return .all(parts.map { $0.replacingTexts(replace, keepsOrder: keepsOrder) })
    case .any(let parts):
      return .any(parts.map { $0.replacingTexts(replace, keepsOrder: keepsOrder) })
    }
  }
}

extension FieldTest {
  /// The last character that texts are made of.
  fileprivate static let lastCharacter = "\u{10FFFD}"

  /// Returns the condition that the text lies between two, with the same wanted answer.
  fileprivate func between(_ lower: String, _ upper: String) -> NormalCondition {
    let tests = [
      with(.comparison(.greaterOrEqual, lower)), with(.comparison(.lessOrEqual, upper)),
    ].map(NormalCondition.test)
    return isWanted ? .all(tests) : .any(tests)
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
