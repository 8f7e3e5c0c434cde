/// A question about one field, and the wanted answer.
package struct FieldTest: Hashable, Sendable {
  /// The questions.
  package enum Question: Hashable, Sendable {
    /// Is the value's code in the set or, if `orNil`, is there no value? (For fixed-size fields
    /// only; the wanted answer is always yes.)
    case codes(IntervalSet, orNil: Bool)
    /// Is there a value? (For other fields only.)
    case isPresent
    /// Is the text one of these?
    case isOneOf([String])
    /// Does the text compare to the constant in this way?
    case comparison(Condition.Comparison, String)
    /// Does the text begin with the constant?
    case hasPrefix(String)
    /// Is one of the texts among these?
    case intersects([String])
  }

  /// The index of the field.
  package let index: Int
  /// The kind of the field.
  package let kind: FieldKind
  /// The question.
  package let question: Question
  /// Whether the wanted answer is yes.
  package let isWanted: Bool

  /// The same question with the opposite wanted answer.
  var negation: FieldTest {
    guard case .codes(let codes, let orNil) = question else {
      return FieldTest(index: index, kind: kind, question: question, isWanted: !isWanted)
    }
    return with(.codes(codes.complement, orNil: !orNil))
  }

  /// The same with another question.
  func with(_ question: Question) -> FieldTest {
    FieldTest(index: index, kind: kind, question: question, isWanted: isWanted)
  }

  /// Whether every row passes (`true`) or no row does (`false`); `nil` if it depends on the row.
  package var constant: Bool? {
    switch question {
    case .codes(let codes, let orNil) where codes.isFull && orNil: true
    case .codes(let codes, let orNil) where codes.isEmpty && !orNil: false
    case .isOneOf(let texts) where texts.isEmpty: !isWanted
    case .intersects(let texts) where texts.isEmpty: !isWanted
    default: nil
    }
  }

  /// Merges two tests into one that passes if both pass (`isAll`), or if at least one passes.
  ///
  /// - Returns: The merged test, or `nil` if no single test is equivalent.
  package func merged(with other: FieldTest, isAll: Bool) -> FieldTest? {
    guard index == other.index, isWanted == other.isWanted else { return nil }
    switch (question, other.question) {
    case (.codes(let codes, let orNil), .codes(let others, let orOtherNil)):
      return isAll
        ? with(.codes(codes.overlap(with: others), orNil: orNil && orOtherNil))
        : with(.codes(codes.union(others), orNil: orNil || orOtherNil))
    case (.isOneOf(let texts), .isOneOf(let others)) where isAll != isWanted:
      return with(.isOneOf(Self.canonical(texts + others)))
    case (.intersects(let texts), .intersects(let others)) where isAll != isWanted:
      return with(.intersects(Self.canonical(texts + others)))
    default: return nil
    }
  }

  /// Returns the texts sorted by their bytes, with only the first of equivalent ones.
  package static func canonical(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.map(canonical)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .filter { seen.insert($0).inserted }
  }

  /// Replaces the three non-ASCII characters that have ASCII equivalents.
  ///
  /// Afterwards, a text whose NFC form is ASCII is itself ASCII, and equals no other text.
  package static func canonical(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.lazy.map(TextWord.simplified))
    return String(scalars)
  }
}
