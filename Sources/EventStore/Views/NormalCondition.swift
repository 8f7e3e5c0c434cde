/// A condition in normal form, shared by its equivalent formulations.
///
/// Negation applies only to tests. Conjunctions aren't nested in conjunctions, nor disjunctions in
/// disjunctions. Tests of one field are merged if possible, nothing occurs twice or is constant,
/// and all parts are sorted. Not all equivalent conditions share a normal form, as that would take
/// a truth table; a mismatch costs a rebuild of the view.
package indirect enum NormalCondition: Hashable, Sendable {
  /// True or false for all rows.
  case constant(Bool)
  /// The test passes.
  case test(FieldTest)
  /// All conditions hold.
  case all([NormalCondition])
  /// At least one condition holds.
  case any([NormalCondition])

  /// The normal form of a condition.
  package init(_ condition: Condition) { self.init(condition, isNegated: false) }

  private init(_ condition: Condition, isNegated: Bool) {
    switch condition.term {
    case .constant(let value): self = .constant(value != isNegated)
    case .not(let inner): self.init(inner, isNegated: !isNegated)
    case .all(let parts): self = Self.joined(parts, isAll: !isNegated, isNegated: isNegated)
    case .any(let parts): self = Self.joined(parts, isAll: isNegated, isNegated: isNegated)
    case .isPresent(let field): self = Self.presence(field, isNegated)
    case .comparison(let field, let comparison, let constant):
      self = Self.comparison(field, comparison, constant, isNegated)
    case .isOneOf(let field, let constants): self = Self.choice(field, constants, isNegated)
    case .hasPrefix(let field, ""): self = Self.presence(field, isNegated)
    case .hasPrefix(let field, let prefix):
      self = Self.test(field, .hasPrefix(prefix), isNegated)
    case .intersects(let field, let texts):
      self = Self.test(field, .intersects(FieldTest.canonical(texts)), isNegated)
    }
  }

  /// The fields that the condition depends on: bit n for the field numbered n + 1.
  package var fields: UInt64 {
    switch self {
    case .constant: 0
    case .test(let test): 1 << UInt64(test.index)
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 | $1.fields }
    }
  }

  /// The number of tests in the condition.
  package var testCount: Int {
    switch self {
    case .constant: 0
    case .test: 1
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.testCount }
    }
  }
}

// Tests.
extension NormalCondition {
  private static func test(
    _ field: FieldDeclaration, _ question: FieldTest.Question, _ isNegated: Bool
  ) -> NormalCondition {
    let test = FieldTest(index: field.index, kind: field.kind, question: question, isWanted: true)
    return simplified(isNegated ? test.negation : test)
  }

  private static func simplified(_ test: FieldTest) -> NormalCondition {
    test.constant.map(NormalCondition.constant) ?? .test(test)
  }

  private static func presence(_ field: FieldDeclaration, _ isNegated: Bool) -> NormalCondition {
    guard field.kind.isCoded else { return test(field, .isPresent, isNegated) }
    let greatest = FixedOrder.greatest(field.kind)
    let all = IntervalSet([0...greatest], upTo: greatest)
    return test(field, .codes(all, orNil: false), isNegated)
  }

  private static func comparison(
    _ field: FieldDeclaration, _ comparison: Condition.Comparison,
    _ constant: Condition.Constant, _ isNegated: Bool
  ) -> NormalCondition {
    switch (constant, comparison) {
    case (_, .equal): choice(field, [constant], isNegated)
    case (.text(let text), _):
      test(field, .comparison(comparison, FieldTest.canonical(text)), isNegated)
    case (.word(let word), _):
      test(field, .codes(FixedOrder.codes(comparison, word, field.kind), orNil: false), isNegated)
    }
  }

  private static func choice(
    _ field: FieldDeclaration, _ constants: [Condition.Constant], _ isNegated: Bool
  ) -> NormalCondition {
    var texts: [String] = []
    var codes: [ClosedRange<UInt64>] = []
    for constant in constants {
      switch constant {
      case .text(let text): texts.append(text)
      case .word(let word): codes += FixedOrder.codes(.equal, word, field.kind).intervals
      }
    }
    guard field.kind.isCoded else {
      return test(field, .isOneOf(FieldTest.canonical(texts)), isNegated)
    }
    let set = IntervalSet(codes, upTo: FixedOrder.greatest(field.kind))
    return test(field, .codes(set, orNil: false), isNegated)
  }
}

// Conjunctions and disjunctions.
extension NormalCondition {
  private static func joined(
    _ conditions: [Condition], isAll: Bool, isNegated: Bool
  ) -> NormalCondition {
    joined(conditions.map { NormalCondition($0, isNegated: isNegated) }, isAll: isAll)
  }

  /// Returns the conjunction of conditions (`isAll`), or their disjunction.
  static func joined(_ conditions: [NormalCondition], isAll: Bool) -> NormalCondition {
    var tests: [FieldTest] = []
    var others: [NormalCondition] = []
    for part in conditions.flatMap({ $0.parts(ofAll: isAll) }) {
      switch part {
      case .constant(isAll): continue
      case .constant: return part
      case .test(let test): merge(test, into: &tests, isAll: isAll)
      case .all, .any: others.append(part)
      }
    }
    return joined(tests, others, isAll: isAll)
  }

  private func parts(ofAll isAll: Bool) -> [NormalCondition] {
    switch self {
    case .all(let parts) where isAll: parts
    case .any(let parts) where !isAll: parts
    default: [self]
    }
  }

  private static func merge(_ test: FieldTest, into tests: inout [FieldTest], isAll: Bool) {
    for place in tests.indices {
      guard let merged = tests[place].merged(with: test, isAll: isAll) else { continue }
      tests[place] = merged
      return
    }
    tests.append(test)
  }

  private static func joined(
    _ tests: [FieldTest], _ others: [NormalCondition], isAll: Bool
  ) -> NormalCondition {
    let constants = tests.map(\.constant)
    let distinct = Set(tests)
    // A part and its negation are never both true, and never both false.
    let isContrary = tests.contains { distinct.contains($0.negation) }
    if isContrary || constants.contains(!isAll) { return .constant(!isAll) }
    let remaining = distinct.filter { $0.constant == nil }.map(NormalCondition.test)
    let parts = Set(remaining + others).map { (part: $0, bytes: $0.bytes) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.part)
    return switch parts.count {
    case 0: .constant(isAll)
    case 1: parts[0]
    default: isAll ? .all(parts) : .any(parts)
    }
  }
}

extension FieldKind {
  /// Whether conditions on such a field test the code of its value.
  package var isCoded: Bool {
    switch self {
    case .integer, .boolean, .timestamp, .double: true
    case .text, .texts, .reference, .link: false
    }
  }
}
