/// A question that is asked of one field, and the answer that is wanted.
package struct FieldTest: Hashable, Sendable {
  /// The questions.
  package enum Question: Hashable, Sendable {
    /// Is the code of the value in the set, or is there no value where that counts as well?
    /// (Of fields of fixed size; the answer wanted is always yes.)
    case codes(IntervalSet, orNil: Bool)
    /// Is there a value? (Of other fields.)
    case isPresent
    /// Is the text one of these?
    case isOneOf([String])
    /// Does the text stand so to the constant?
    case comparison(Condition.Comparison, String)
    /// Does the text begin so?
    case hasPrefix(String)
    /// Is one of the texts one of these?
    case intersects([String])
  }

  /// The field, counted from 0.
  package let index: Int
  /// What the field holds.
  package let kind: FieldKind
  /// The question.
  package let question: Question
  /// Whether the answer wanted is yes.
  package let isWanted: Bool

  /// The same question with the other answer wanted.
  var negation: FieldTest {
    guard case .codes(let codes, let orNil) = question else {
      return FieldTest(index: index, kind: kind, question: question, isWanted: !isWanted)
    }
    return with(.codes(codes.complement, orNil: !orNil))
  }

  private func with(_ question: Question) -> FieldTest {
    FieldTest(index: index, kind: kind, question: question, isWanted: isWanted)
  }

  /// Whether every row passes, or none does; `nil` where it depends.
  package var constant: Bool? {
    switch question {
    case .codes(let codes, let orNil) where codes.isFull && orNil: true
    case .codes(let codes, let orNil) where codes.isEmpty && !orNil: false
    case .isOneOf(let texts) where texts.isEmpty: !isWanted
    case .intersects(let texts) where texts.isEmpty: !isWanted
    default: nil
    }
  }

  /// One test for this one and another: both must be passed if `isAll`, or else one of them.
  ///
  /// - Returns: `nil` where no single test says the same.
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

  /// The texts in ascending order of their bytes, and of equivalent ones only the first.
  package static func canonical(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.map(canonical)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .filter { seen.insert($0).inserted }
  }

  /// The text with ASCII in place of the three characters beyond it that are equivalent to some.
  ///
  /// So a text whose NFC form is ASCII is ASCII, and no other text equals it.
  package static func canonical(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.lazy.map(TextWord.simplified))
    return String(scalars)
  }
}
