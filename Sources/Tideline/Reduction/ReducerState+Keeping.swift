import EventStore

/// Records that replace compacted ones.
extension ReducerState {
  /// Restores rows.
  mutating func apply(_ kept: StateKept) throws(Refusal) {
    var (object, operation): (RowHandle?, RowHandle?)
    for kept in kept.rows {
      guard let collection = InboxReducer.collection(kept.collection) else { continue }
      let row = try apply(kept, collection)
      switch RowRole(collection) {
      case .object: object = row
      case .base: if let object { self[object, InboxFields.overlay] = OverlayLink(base: row.row) }
      case .operation:
        operation = row
        // A repeated record must not chain the operation to itself.
        if let object, self[row, Operations.object] == nil { add(row, to: object) }
      case .saving: if let operation { self[operation, Operations.saving] = row.row }
      case .other: break
      }
    }
  }

  /// Restores a row except for its links.
  private mutating func apply(
    _ kept: RowKept, _ collection: RowCollection
  ) throws(Refusal) -> RowHandle {
    let role = RowRole(collection)
    let isAccount = collection.number == Accounts.collection.number
    guard isAccount ? Account.name(of: kept.id) != nil : role != .object || isName(kept.id) else {
      throw Refusal("a row that is no object's")
    }
    let row = try self.row(kept.id, in: collection)
    try edit(row) { $0.set(role.values(of: collection), to: kept.values.fields) }
    for alias in kept.aliases { try self.alias(alias, to: row) }
    if let due = kept.due, let account = account(of: row, role) {
      try setTimer(of: row, at: due, account: account)
    }
    // The row may come from any version of the rules.
    if role == .object, var making = self[row, InboxFields.making],
      making.owned.contains(.object)
    {
      making.owned.insert(.mayBeBuried)
      self[row, InboxFields.making] = making
    }
    if kept.isGone { delete(row) }
    return row
  }

  private func isName(_ id: String) -> Bool { Message.name(of: id) != nil }

  private mutating func account(of row: RowHandle, _ role: RowRole) -> Int64? {
    role == .operation ? self[row, Operations.account] : self[row, InboxFields.account]
  }
}

/// How rows of a collection relate to others.
enum RowRole {
  case object
  /// The server's state of an object.
  case base
  /// An open operation on an object.
  case operation
  /// The content of an operation.
  case saving
  case other

  init(_ collection: RowCollection) {
    let number = collection.number
    if ObjectKind.all.contains(where: { $0.collection.number == number }) {
      self = .object
    } else if ObjectKind.all.contains(where: { $0.bases?.number == number }) {
      self = .base
    } else if number == Operations.collection.number {
      self = .operation
    } else if [Bases.savings.number, Bases.uploads.number].contains(number) {
      self = .saving
    } else {
      self = .other
    }
  }

  /// Returns the fields of a collection with values rather than links to other rows.
  func values(of collection: RowCollection) -> UInt64 {
    let links: UInt64 =
      switch self {
      case .object, .base, .saving: InboxFields.overlay.bit
      case .operation: Operations.object.bit | Operations.next.bit | Operations.saving.bit
      case .other: 0
      }
    return collection.shape.all & ~links
  }
}

extension InboxReducer {
  /// Returns the collection with a number, if any; excludes timers, which derive from other rows.
  static func collection(_ number: Int64) -> RowCollection? {
    collections.first { $0.number == number && number != Timers.collection.number }
  }
}
