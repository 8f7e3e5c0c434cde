import EventStore
import Tideline

/// An operation in the outbox.
struct OutboxEntry: Hashable, Sendable {
  /// The identity of an operation.
  struct Name: Hashable, Sendable {
    let intent: RecordNumber
    let item: String

    /// The name as used to derive the key of a request.
    var label: String { "\(intent.rawValue)/\(item)" }
  }

  let name: Name
  /// The operation's own row.
  let row: RowID
  /// The object, whichever of its ids is used.
  let object: RowLink
  let objectClass: ObjectClass
  let action: Operations.Action
  let state: Operations.State
  let attempts: Int
  let wasBegun: Bool
  /// A mark shared with the operations last sent in the same request, if there were any.
  let request: Int?
  /// The time until which the person or app holds it back.
  let heldUntil: Timestamp?
  /// The time before which it is not started.
  let notBefore: Timestamp?
  /// Whether it waits for an event rather than a time.
  let isStuck: Bool
  let isTrue: Bool
  let added: Set<String>
  let removed: Set<String>
  let tagName: String?
  /// Whether the operation sends a draft that lacks a file, as the server refused the file.
  let lacksFile: Bool
  /// When the person asked for it.
  let createdAt: Timestamp?

  /// Whether the server has yet to do it.
  var isUnsent: Bool { state != .acknowledged && state != .rejected }
  /// Whether it is to be sent, and certainly not under way.
  var isPending: Bool { state == .waiting || state == .deferred }
  /// Whether it deletes its object.
  var isDeletion: Bool { action == .delete || action == .deleteDraft }

  /// Whether it is put off although it was tried several times, or its server forbids it, so that
  /// nothing else should wait for it.
  var isInVain: Bool { state == .deferred && (isStuck || attempts > Self.triesMax) }

  /// The number of attempts after which others don't wait for an operation.
  private static let triesMax = 2

  /// Whether it waits for no event and no time.
  func isDue(at now: Timestamp) -> Bool { !isStuck && notBefore ?? now <= now }
}

extension OutboxEntry {
  /// Creates the entry of an operation's row.
  fileprivate init?(_ row: LentRow, _ id: RowID) {
    guard let object = row[Operations.object],
      let intent = row[Operations.intent], let item = row[Operations.item],
      let objectClass = row[Operations.objectClass], let action = row[Operations.action],
      let state = row[Operations.state]
    else { return nil }
    name = Name(intent: RecordNumber(kept: intent), item: item)
    self.row = id
    self.object = object
    self.objectClass = objectClass
    self.action = action
    self.state = state
    // One less than the maximum, so that the next attempt has a number too.
    attempts = min(row[Operations.attempts] ?? 0, .max - 1)
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
    lacksFile = row[Operations.lacksFile] == true
    createdAt = row[Operations.createdAt]
  }
}

extension Operations.Action {
  /// Groups of operations on one object that may share a request if no other comes between them.
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
  /// Returns the rows of an account's undone operations at some places in their order.
  func outbox(of account: UInt32, in places: Range<Int>) throws -> [RowID] {
    try rowIDs(of: ListName(InboxViews.unsent, of: account), in: places)
  }

  /// Returns the object of an operation.
  func object(ofOperation row: RowID) -> RowLink? {
    var object: RowLink?
    lend(row, in: Operations.collection) { object = $0[Operations.object] }
    return object
  }

  /// Returns an operation, if it still exists, unless it is on one of some objects.
  func entry(of row: RowID, except objects: Set<RowLink> = []) -> OutboxEntry? {
    var entry: OutboxEntry?
    lend(row, in: Operations.collection) { lent in
      guard objects.isEmpty || lent[Operations.object].map(objects.contains) != true else { return }
      entry = OutboxEntry(lent, row)
    }
    return entry
  }

  /// Returns whether any of an account's first operations waits for an event.
  func hasStuck(in account: UInt32) throws -> Bool {
    let first = try outbox(of: account, in: 0..<OutboxSearch.stepMax)
    return first.contains { entry(of: $0)?.isStuck == true }
  }

  /// Returns whether operations are unchanged since they were read.
  func have(_ entries: [OutboxEntry]) -> Bool { entries.allSatisfy { entry(of: $0.row) == $0 } }
}

extension LentRow {
  /// The value of a field, or `nil` if absent; declared here so that the compiler specializes it.
  subscript<Value: FieldValue>(field: Field<Value>) -> Value? {
    var value: Value?
    withStored(field.number - 1, Value.fieldKind) { value = Value(stored: $0) }
    return value
  }
}
