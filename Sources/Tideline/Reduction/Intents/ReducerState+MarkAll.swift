import EventStore

/// Intents about all objects.
extension ReducerState {
  /// Applies an intent to all objects that a filter finds.
  mutating func apply(_ intent: MarkAll, _ occasion: Occasion) throws(Refusal) {
    guard let kind = ObjectKind.of(intent.objectClass) else { return }
    let condition = try intent.condition(on: kind.collection)
    let occasion = try occasion.beginning
    let first = nextOrdinal(occasion)
    for (ordinal, row) in rows(wantedBy: intent, occasion).enumerated() {
      if let condition, !meets(condition, row) { continue }
      let entity = Entity(kind: kind, row: row)
      try open(
        intent.action.operation, on: entity, intent.objectClass, intent.terms, occasion,
        ordinal: first + ordinal
      ) { row in
        switch intent.action {
        case .read: row[Operations.isTrue] = true
        case .deleted: break
        case .seen: row.set(Operations.removed, ["unseen"])
        }
      }
    }
  }

  /// Returns the ordinal after those of earlier records of the intent, or 0 if this record begins
  /// it.
  private mutating func nextOrdinal(_ occasion: Occasion) -> Int {
    guard occasion.cause != nil else { return 0 }
    let list = ListName.operations(of: occasion.number)
    let count = count(in: list)
    let last = rows(in: list, at: max(count - 1, 0)..<count).last
    return last.map { (self[$0, Operations.ordinal] ?? 0) &+ 1 } ?? 0
  }

  /// Returns the objects that are active, not deleted and wanted by the filter.
  private mutating func rows(wantedBy intent: MarkAll, _ occasion: Occasion) -> [RowHandle] {
    candidates(for: intent, occasion).filter { isWanted($0, by: intent, occasion) }
  }

  private mutating func candidates(for intent: MarkAll, _ occasion: Occasion) -> [RowHandle] {
    if let list = intent.list { return rows(of: list, since: intent.since, occasion) }
    guard intent.since == nil, intent.action == .deleted else { return [] }
    switch intent.objectClass {
    case .message, .thread, .contact:
      return ObjectKind.of(intent.objectClass).map { rowsByID(of: $0.collection) } ?? []
    default: return []
    }
  }

  /// Returns all rows, ordered by id; the order of creation changes with compaction.
  private mutating func rowsByID(of collection: RowCollection) -> [RowHandle] {
    rows(of: collection).map { (id: id(of: $0), row: $0) }
      .sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }.map(\.row)
  }

  /// Returns the rows of a list by date, latest first, or only those not older than a time.
  private mutating func rows(
    of list: MarkAll.List, since: Timestamp?, _ occasion: Occasion
  ) -> [RowHandle] {
    let name = list.name(of: occasion.account)
    guard let since else { return self.rows(in: name) }
    var rows: [RowHandle] = []
    while true {
      let places = rows.count..<rows.count + MarkAll.partCount
      let some = self.rows(in: name, at: places)
      let young = some.prefix { self[$0, list.date].map { $0 >= since } == true }
      rows += young
      guard young.count == places.count else { return rows }
    }
  }

  private mutating func isWanted(
    _ row: RowHandle, by intent: MarkAll, _ occasion: Occasion
  ) -> Bool {
    let isWanted = read(row) { row in
      guard row[InboxFields.account] == Int64(occasion.account), row[InboxFields.hiding] == nil
      else { return false }
      if let asOf = intent.asOf, let made = row[InboxFields.making], made.record > asOf {
        return false
      }
      if intent.objectClass == .message, row[Messages.kind] != .message { return false }
      guard let tag = intent.tag else { return true }
      switch intent.objectClass {
      case .thread: return row[Threads.tagIDs]?.contains(tag) == true
      case .message: return row[Messages.tagIDs]?.contains(tag) == true
      default: return false
      }
    }
    return isWanted == true
  }
}

extension MarkAllAction {
  /// The operation on each object.
  fileprivate var operation: Operations.Action {
    switch self {
    case .read: .markRead
    case .deleted: .delete
    case .seen: .changeTags
    }
  }
}

extension MarkAll {
  /// Returns the condition on the objects in addition to the tag, if any.
  fileprivate func condition(
    on collection: RowCollection
  ) throws(Refusal) -> ConditionProgram? {
    guard let bytes = condition?.bytes else { return nil }
    guard let condition = NormalCondition(bytes, on: collection) else {
      throw Refusal("a condition that can't be read")
    }
    return ConditionProgram(condition)
  }
}

extension Occasion {
  /// The record that began the intent, of which this record may be a part.
  fileprivate var beginning: Occasion {
    get throws(Refusal) {
      guard let cause else { return self }
      guard cause > .zero, cause < number else {
        throw Refusal("a part of an intent that did not begin")
      }
      return of(cause)
    }
  }
}
