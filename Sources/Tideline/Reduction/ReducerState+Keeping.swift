import EventStore

/// Records that replace compacted ones.
extension ReducerState {
  /// Restores rows: objects, each followed by its base, its operations and what these save.
  ///
  /// A record in which these don't belong together is refused.
  mutating func apply(_ kept: StateKept, in record: RecordNumber) throws(Refusal) {
    var (object, kind, operation): (RowHandle?, ObjectKind?, RowHandle?)
    for kept in kept.rows {
      guard let collection = InboxReducer.collection(kept.collection) else { continue }
      let row = try apply(kept, collection)
      switch RowRole(collection) {
      case .object:
        (object, kind) = (row, ObjectKind.all.first { $0.collection.number == collection.number })
      case .base:
        guard let object, kind?.bases?.number == collection.number else {
          throw Refusal("a base that is not the object's")
        }
        self[object, InboxFields.overlay] = OverlayLink(base: row.row)
      case .operation:
        guard let object, let kind, fits(row, kind) else {
          throw Refusal("an operation that is not the object's")
        }
        operation = row
        try noteForetold(by: [kept.id] + kept.aliases, in: record)
        // A repeated record must not chain the operation to itself.
        guard let link = self[row, Operations.object] else {
          add(row, to: object)
          continue
        }
        guard handle(of: link.row, in: kind.collection) == object else {
          throw Refusal("an operation that is another object's")
        }
      case .saving:
        guard let operation, contents(of: operation)?.number == collection.number else {
          throw Refusal("a content that is not the operation's")
        }
        self[operation, Operations.saving] = row.row
      case .other: break
      }
    }
  }

  /// Notes the intents that the ids of an operation name, if they may still come: if they are
  /// beyond the record, and beyond the floor of the account that the id names.
  private mutating func noteForetold(
    by ids: [String], in record: RecordNumber
  ) throws(Refusal) {
    for name in ids.compactMap({ Operations.Name($0) })
    where RecordNumber(kept: name.intent) > record
      && UInt64(name.intent) > floor(of: name.account)
    {
      let row = try row(Foretold.id, in: Foretold.collection)
      self[row, Foretold.intent] = max(name.intent, self[row, Foretold.intent] ?? 0)
    }
  }

  private mutating func floor(of account: UInt32) -> UInt64 {
    find(String(account), in: Accounts.collection).flatMap { self[$0, Accounts.floor] }?.rawValue
      ?? 0
  }

  /// Returns whether an intent's operations may be there before it.
  mutating func isForetold(_ intent: RecordNumber) -> Bool {
    guard hadAny(in: Foretold.collection), let row = find(Foretold.id, in: Foretold.collection)
    else { return false }
    return intent <= RecordNumber(kept: self[row, Foretold.intent] ?? 0)
  }

  /// Returns whether objects of a kind may have an operation.
  private mutating func fits(_ operation: RowHandle, _ kind: ObjectKind) -> Bool {
    guard let objectClass = self[operation, Operations.objectClass],
      ObjectKind.of(objectClass) === kind, let action = self[operation, Operations.action]
    else { return false }
    return action.fits(kind.objectClass)
  }

  /// Returns the collection of what an operation saves, if it saves something.
  private mutating func contents(of operation: RowHandle) -> RowCollection? {
    switch self[operation, Operations.action] {
    case .saveDraft: Bases.savings
    case .addFile: Bases.uploads
    default: nil
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
    // Intents up to the floor of an account never come again.
    guard !isAccount || !kept.isGone && kept.aliases.isEmpty else {
      throw Refusal("an account that is gone or has two numbers")
    }
    let row = try self.row(kept.id, in: collection)
    let floor = isAccount ? self[row, Accounts.floor] : nil
    try edit(row) { $0.set(role.values(of: collection), to: kept.values.fields) }
    if let floor, self[row, Accounts.floor]?.rawValue ?? 0 < floor.rawValue {
      self[row, Accounts.floor] = floor
    }
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
  /// Returns the collection with a number, if any; excludes timers, which derive from other rows,
  /// and what kept rows foretell.
  static func collection(_ number: Int64) -> RowCollection? {
    let derived = [Timers.collection.number, Foretold.collection.number]
    return collections.first { $0.number == number && !derived.contains($0.number) }
  }
}

extension Operations.Action {
  /// Whether objects of a class, of which a draft is a message, may have such an operation.
  fileprivate func fits(_ objectClass: ObjectClass) -> Bool {
    switch self {
    case .markRead: [ObjectClass].readable.contains(objectClass)
    case .changeTags: [ObjectClass].tagged.contains(objectClass)
    case .saveDraft, .sendDraft, .deleteDraft, .attach: objectClass == .message
    case .saveTag: objectClass == .tag
    case .addFile: objectClass == .file
    case .delete, .reportOpened, .reportDownloaded: true
    }
  }
}
