import EventStore
import Tideline

/// An operation as the outbox has it.
struct OutboxEntry: Hashable, Sendable {
  /// What tells operations apart.
  struct Name: Hashable, Sendable {
    let intent: RecordNumber
    let item: String

    /// Both, as what a request's key is made of has them.
    var label: String { "\(intent.rawValue)/\(item)" }
  }

  let name: Name
  /// Its own row.
  let row: RowID
  /// The object, whatever ids find it.
  let object: RowLink
  let objectClass: ObjectClass
  let action: Operations.Action
  let state: Operations.State
  let attempts: Int
  let wasBegun: Bool
  /// What it has in common with those that were last sent in the same request, if there were any.
  let request: Int?
  /// Until when it was to be held back, by who wanted it.
  let heldUntil: Timestamp?
  /// Before which it isn't begun.
  let notBefore: Timestamp?
  /// Whether it waits for something to happen, not for a time.
  let isStuck: Bool
  let isTrue: Bool
  let added: Set<String>
  let removed: Set<String>
  let tagName: String?
  /// When it was wanted.
  let createdAt: Timestamp?

  /// Whether the server is to do it yet.
  var isUnsent: Bool { state != .acknowledged && state != .rejected }
}

extension OutboxEntry {
  /// The entry of an operation's row.
  fileprivate init?(_ row: LentRow, _ id: RowID) {
    guard let object = row[Operations.object],
      let intent = row[Operations.intent], let item = row[Operations.item],
      let objectClass = row[Operations.objectClass], let action = row[Operations.action],
      let state = row[Operations.state]
    else { return nil }
    name = Name(intent: RecordNumber(rawValue: UInt64(intent)), item: item)
    self.row = id
    self.object = object
    self.objectClass = objectClass
    self.action = action
    self.state = state
    attempts = row[Operations.attempts] ?? 0
    wasBegun = row[Operations.wasBegun] == true
    request = row[Operations.request]
    let until = row[Operations.deferredUntil]
    heldUntil = row[Operations.heldUntil]
    notBefore = [heldUntil, until].compactMap(\.self).max()
    isStuck =
      row[Operations.isWaitingForLogin] == true || state == .deferred && until == nil
    isTrue = row[Operations.isTrue] == true
    added = row[Operations.added] ?? []
    removed = row[Operations.removed] ?? []
    tagName = row[Operations.name]
    createdAt = row[Operations.createdAt]
  }
}

extension Operations.Action {
  /// What operations on an object may go in one request, if nothing else is between them.
  enum Family: Hashable, Sendable {
    case reading, tagging, saving, other
  }

  var family: Family {
    switch self {
    case .markRead: .reading
    case .changeTags: .tagging
    case .saveDraft, .attach: .saving
    default: .other
    }
  }
}

extension StoreSnapshot {
  /// The rows of operations of an account that the server has not done, those at some places in
  /// their order.
  func outbox(of account: UInt32, in places: Range<Int>) throws -> [RowID] {
    try rowIDs(of: ListName(InboxViews.unsent, of: account), in: places)
  }

  /// The object that an operation is on.
  func object(ofOperation row: RowID) -> RowLink? {
    var object: RowLink?
    lend(row, in: Operations.collection) { object = $0[Operations.object] }
    return object
  }

  /// An operation, if it is there still.
  func entry(of row: RowID) -> OutboxEntry? {
    var entry: OutboxEntry?
    lend(row, in: Operations.collection) { entry = OutboxEntry($0, row) }
    return entry
  }

  /// Whether any of the first operations of an account waits for something to happen.
  func hasStuck(in account: UInt32) throws -> Bool {
    let first = try outbox(of: account, in: 0..<OutboxSearch.stepMax)
    return first.contains { entry(of: $0)?.isStuck == true }
  }

  /// Whether operations are as they were found before.
  func have(_ entries: [OutboxEntry]) -> Bool { entries.allSatisfy { entry(of: $0.row) == $0 } }
}

extension LentRow {
  /// The value of a field, or `nil` where it has none; here, so that it is compiled for the types
  /// that it is called with.
  subscript<Value: FieldValue>(field: Field<Value>) -> Value? {
    var value: Value?
    withStored(field.number - 1, Value.fieldKind) { value = Value(stored: $0) }
    return value
  }
}
