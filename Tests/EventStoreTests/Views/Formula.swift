import EventStore
import TestSupport

/// A condition made up by a test: a tree of questions, each of which a row can answer without the
/// code under test.
indirect enum Formula {
  case question(Question)
  case all([Formula])
  case any([Formula])
  case not(Formula)

  /// A question about one field.
  struct Question {
    let condition: Condition
    let meets: (Row) -> Bool

    init(_ condition: Condition, _ meets: @escaping (Row) -> Bool) {
      self.condition = condition
      self.meets = meets
    }
  }

  var condition: Condition {
    switch self {
    case .question(let question): question.condition
    case .all(let parts): parts.reduce(.always) { $0 && $1.condition }
    case .any(let parts): parts.reduce(.never) { $0 || $1.condition }
    case .not(let part): !part.condition
    }
  }

  func meets(_ row: Row) -> Bool {
    switch self {
    case .question(let question): question.meets(row)
    case .all(let parts): parts.allSatisfy { $0.meets(row) }
    case .any(let parts): parts.contains { $0.meets(row) }
    case .not(let part): !part.meets(row)
    }
  }

  static func sample(depth: Int = 3, using random: inout SeededGenerator) -> Formula {
    let parts = depth == 0 ? 0 : Int.random(in: 0..<4, using: &random)
    let formulas = (0..<parts).map { _ in sample(depth: depth - 1, using: &random) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where depth > 0: return .all(formulas)
    case 1 where depth > 0: return .any(formulas)
    case 2 where depth > 0: return .not(sample(depth: depth - 1, using: &random))
    default: return .question(.sample(using: &random))
    }
  }

  /// Returns an equivalent formula in other words.
  func reworded(using random: inout SeededGenerator) -> Formula {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .not(.not(reworded(using: &random)))
    case 1: return .all([reworded(using: &random)])
    case 2: return .any([reworded(using: &random), .any([])])
    case 3: return .all([reworded(using: &random), .all([]), .not(.any([]))])
    case 4: return .any([self, reworded(using: &random)])
    default: return rearranged(using: &random)
    }
  }

  private func rearranged(using random: inout SeededGenerator) -> Formula {
    let isTurned = Bool.random(using: &random)
    switch self {
    case .question: return self
    case .not(let part): return .not(part.reworded(using: &random))
    case .all(let parts):
      let parts = parts.shuffled(using: &random).map { $0.reworded(using: &random) }
      guard isTurned else { return .all(Self.nested(parts, Formula.all)) }
      return .not(.any(parts.map(Formula.not)))
    case .any(let parts):
      let parts = parts.shuffled(using: &random).map { $0.reworded(using: &random) }
      guard isTurned else { return .any(Self.nested(parts, Formula.any)) }
      return .not(.all(parts.map(Formula.not)))
    }
  }

  private static func nested(_ parts: [Formula], _ join: ([Formula]) -> Formula) -> [Formula] {
    guard parts.count > 2 else { return parts }
    return [join(Array(parts.prefix(2)))] + parts.dropFirst(2)
  }
}

extension Formula.Question {
  static func sample(using random: inout SeededGenerator) -> Self {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .ordered(Letter.count, Letter.counts, &random) { $0 }
    case 1: .ordered(Letter.date, Letter.dates, &random) { $0 }
    case 2: .ordered(Letter.price, Letter.prices, &random) { $0 }
    case 3, 4:
      .ordered(Letter.title, [Texts.sample(using: &random), "e", "K"], &random, NormalText.init)
    case 5: .equal(Letter.isRead, [true, false], &random)
    case 6: .equal(Letter.rank, Letter.Rank.allCases, &random)
    case 7: .prefix(&random)
    case 8: .texts(&random)
    default: .absent(&random)
    }
  }

  private static func ordered<Value: FieldValue & Comparable, Rank: Comparable>(
    _ field: Field<Value>, _ values: [Value], _ random: inout SeededGenerator,
    _ rank: @escaping (Value) -> Rank
  ) -> Self {
    guard let value = values.randomElement(using: &random) else { return absent(&random) }
    func meets(_ compare: @escaping (Rank, Rank) -> Bool) -> (Row) -> Bool {
      { row in row[field].map { compare(rank($0), rank(value)) } ?? false }
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return Self(field < value, meets(<))
    case 1: return Self(field <= value, meets(<=))
    case 2: return Self(field > value, meets(>))
    case 3: return Self(field >= value, meets(>=))
    default: return equal(field, values, &random)
    }
  }

  private static func equal<Value: FieldValue>(
    _ field: Field<Value>, _ values: [Value], _ random: inout SeededGenerator
  ) -> Self {
    let isNil = Int.random(in: 0..<4, using: &random) == 0
    let value = isNil ? nil : values.randomElement(using: &random)
    let some = values.filter { _ in Bool.random(using: &random) }
    return switch Int.random(in: 0..<3, using: &random) {
    case 0: Self(field == value) { $0[field] == value }
    case 1: Self(field != value) { $0[field] != value }
    default: Self(field.isOne(of: some)) { row in row[field].map(some.contains) ?? false }
    }
  }

  private static func prefix(_ random: inout SeededGenerator) -> Self {
    let prefix = String(Texts.sample(using: &random).unicodeScalars.prefix(2))
    return Self(Letter.title.hasPrefix(prefix)) { $0[Letter.title]?.hasPrefix(prefix) ?? false }
  }

  private static func texts(_ random: inout SeededGenerator) -> Self {
    let texts = Texts.pieces.shuffled(using: &random).prefix(.random(in: 0..<4, using: &random))
    if let text = texts.first, texts.count == 1 {
      return Self(Letter.tags.contains(text)) { $0[Letter.tags]?.contains(text) ?? false }
    }
    let set = Set(texts)
    return Self(Letter.tags.intersects(texts)) { row in
      row[Letter.tags].map { !$0.isDisjoint(with: set) } ?? false
    }
  }

  private static func absent(_ random: inout SeededGenerator) -> Self {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: Self(Letter.body == nil) { $0[Letter.body] == nil }
    case 1: Self(Letter.tags != nil) { $0[Letter.tags] != nil }
    case 2: Self(Letter.title != nil) { $0[Letter.title] != nil }
    default: Self(Letter.isRead == nil) { $0[Letter.isRead] == nil }
    }
  }
}
