extension NormalCondition {
  /// Decodes a condition's ``bytes`` for rows of a collection; `nil` for any invalid input.
  ///
  /// - Complexity: O(*n* log *n*) in the number of bytes.
  package init?(_ bytes: [UInt8], on collection: RowCollection) {
    var reader = ConditionReader(rest: bytes[...], collection: collection)
    guard let condition = reader.condition(), reader.rest.isEmpty,
      condition.testCount <= ConditionProgram.stepCountMax
    else { return nil }
    self = condition
  }
}

/// Decodes the bytes of a condition, without trusting them.
private struct ConditionReader {
  /// The maximum nesting depth of parts.
  private static let depthMax = Condition.depthMax

  var rest: ArraySlice<UInt8>
  let collection: RowCollection

  mutating func condition(depth: Int = 0) -> NormalCondition? {
    guard depth < Self.depthMax, let tag = rest.popFirst() else { return nil }
    switch tag {
    case 1: return .constant(false)
    case 2: return .constant(true)
    case 3: return test().map(NormalCondition.test)
    case 4: return list { $0.condition(depth: depth + 1) }.map(NormalCondition.all)
    case 5: return list { $0.condition(depth: depth + 1) }.map(NormalCondition.any)
    default: return nil
    }
  }

  private mutating func test() -> FieldTest? {
    guard let number = rest.popFirst(), let kind = rest.popFirst(),
      let field = collection.fields.first(where: { $0.number == number }),
      field.kind.rawValue == kind, !field.isHidden,
      let question = question(of: field.kind), let isWanted = flag()
    else { return nil }
    if case .codes = question, !isWanted { return nil }
    return FieldTest(index: field.index, kind: field.kind, question: question, isWanted: isWanted)
  }

  /// Reads a question that suits fields of the given kind.
  private mutating func question(of kind: FieldKind) -> FieldTest.Question? {
    switch (rest.popFirst(), kind) {
    case (1, _) where kind.isCoded: codes(of: kind)
    case (2, _) where !kind.isCoded: .isPresent
    case (3, .text): texts().map { .isOneOf($0) }
    case (4, .text): comparison()
    case (5, .text): texts().flatMap { $0.count == 1 ? .hasPrefix($0[0]) : nil }
    case (6, .texts): texts().map { .intersects($0) }
    default: nil
    }
  }

  private mutating func codes(of kind: FieldKind) -> FieldTest.Question? {
    let greatest = FixedOrder.greatest(kind)
    guard let orNil = flag() else { return nil }
    let intervals = list { reader -> ClosedRange<UInt64>? in
      guard let lower = reader.integer(UInt64.self), let upper = reader.integer(UInt64.self),
        lower <= upper, upper <= greatest
      else { return nil }
      return lower...upper
    }
    return intervals.map { .codes(IntervalSet($0, upTo: greatest), orNil: orNil) }
  }

  private mutating func comparison() -> FieldTest.Question? {
    guard let comparison = rest.popFirst().flatMap(Condition.Comparison.init(rawValue:)),
      comparison != .equal, let text = text()
    else { return nil }
    return .comparison(comparison, text)
  }

  private mutating func texts() -> [String]? { list { $0.text() } }

  private mutating func text() -> String? {
    guard let count = integer(UInt32.self), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return String(validating: rest.prefix(Int(count)), as: UTF8.self)
  }

  private mutating func flag() -> Bool? {
    guard let byte = rest.popFirst(), byte <= 1 else { return nil }
    return byte == 1
  }

  private mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let count = Value.bitWidth / 8
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reversed().reduce(0) { $0 << 8 | Value($1) }
  }

  /// Reads a list whose items take at least one byte each.
  private mutating func list<Item>(_ item: (inout ConditionReader) -> Item?) -> [Item]? {
    guard let count = integer(UInt32.self), count <= rest.count else { return nil }
    var items: [Item] = []
    for _ in 0..<count {
      guard let next = item(&self) else { return nil }
      items.append(next)
    }
    return items
  }
}
