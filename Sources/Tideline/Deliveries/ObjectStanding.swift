package import EventStore

/// The state of an object beyond what is shown: what hides it, its open operations, and whether it
/// was deleted.
package struct ObjectStanding: Sendable, Hashable {
  /// The id of the row that the object's id finds, or the object's id if it finds none.
  package var rowID: String
  /// The visible state, shown or hidden; `nil` if there is no such object.
  package var visible: Row?
  /// The server's state, if it is stored separately.
  package var base: Row?
  /// Why the object is hidden, in words.
  package var hiding: [String] = []
  /// The open operations, in the order of their intents.
  package var operations: [Operation] = []
  /// The tombstone that its deletion left.
  package var stone: Stone?

  /// An operation that has not ended.
  package struct Operation: Sendable, Hashable {
    /// The record of the intent.
    package var intent: RecordNumber
    /// The requested change, in words.
    package var action: String
    /// The progress, in words.
    package var state: String
    /// What would end the operation, in words.
    package var ends: [String]
  }

  /// A tombstone, which keeps facts from bringing an object back.
  package struct Stone: Sendable, Hashable {
    /// The record that deleted the object.
    package var record: RecordNumber?
    /// The time of the deletion.
    package var deletedAt: Timestamp?
    /// The object's version at that time.
    package var version: Int?
    /// Whether the device deleted the object, so that this never expires.
    package var isOwn: Bool
    /// When the tombstone expires.
    package var endsAt: Timestamp?
  }
}

extension Replay {
  /// Returns the state of an object at the replay's position.
  ///
  /// - Complexity: O(log *n* + operations on it)
  /// - Throws: `StoreError`.
  package func standing(
    of id: String, _ objectClass: ObjectClass, in account: UInt32
  ) throws(StoreError) -> ObjectStanding {
    guard let kind = ObjectKind.of(objectClass) else { return ObjectStanding(rowID: id) }
    let name = "\(account)/\(id)"
    let rowID = views.rowID(foundBy: name, in: kind.collection) ?? name
    var standing = ObjectStanding(rowID: rowID)
    standing.stone = stone("\(kind.collection.number)/\(name)", account)
    guard let row = try row(rowID, in: kind.collection) else { return standing }
    standing.visible = row
    standing.hiding = row[InboxFields.hiding]?.reasons ?? []
    guard let overlay = views.value(of: InboxFields.overlay, in: rowID, of: kind.collection)
    else { return standing }
    if overlay.base != nil, let bases = kind.bases {
      standing.base = try self.row(rowID, in: bases)
    }
    var next = overlay.operation
    while let operation = next {
      guard let (found, following) = try open(operation, account, standing.base ?? row)
      else { break }
      standing.operations.append(found)
      next = following
    }
    return standing
  }

  private func stone(_ id: String, _ account: UInt32) -> ObjectStanding.Stone? {
    let stones = Tombstones.collection
    guard views.rowID(foundBy: id, in: stones) != nil else { return nil }
    let deletedAt = views.value(of: Tombstones.deletedAt, in: id, of: stones)
    let isOwn = views.value(of: Tombstones.isOwn, in: id, of: stones) == true
    let interval = views.value(of: Accounts.tombstoneInterval, in: "\(account)", of: accounts) ?? 0
    let end = deletedAt.map { Timestamp(rawValue: $0.rawValue &+ Int64(interval)) }
    return ObjectStanding.Stone(
      record: views.value(of: Tombstones.record, in: id, of: stones)
        .map { RecordNumber(rawValue: $0.rawValue) },
      deletedAt: deletedAt, version: views.value(of: Tombstones.version, in: id, of: stones),
      isOwn: isOwn, endsAt: isOwn || interval == 0 ? nil : end)
  }

  private var accounts: RowCollection { Accounts.collection }

  /// Returns an operation, and the next one on the same object.
  private func open(
    _ operation: RowID, _ account: UInt32, _ base: Row
  ) throws(StoreError) -> (ObjectStanding.Operation, next: RowID?)? {
    let shape = Operations.collection.shape
    let found = try foldedRows.withRow(operation, of: Operations.collection) {
      view -> (Row, RowID?)? in
      guard let view, view.isPresent else { return nil }
      return (Row(view, shape), view.value(Operations.next.number - 1, shape, as: RowID.self))
    }
    guard let (row, next) = found, let action = row[Operations.action] else { return nil }
    let state = row[Operations.state] ?? .waiting
    return (
      ObjectStanding.Operation(
        intent: RecordNumber(kept: row[Operations.intent] ?? 0),
        action: Self.words(action, row), state: "\(state)",
        ends: state == .acknowledged ? ends(row, account, base) : ["an outcome from the server"]),
      next
    )
  }

  private static func words(_ action: Operations.Action, _ row: Row) -> String {
    switch action {
    case .markRead: row[Operations.isTrue] == true ? "mark read" : "mark unread"
    case .changeTags:
      "change tags:" + (row[Operations.added] ?? []).sorted().map { " +\($0)" }.joined()
        + (row[Operations.removed] ?? []).sorted().map { " -\($0)" }.joined()
    default: "\(action)"
    }
  }

  /// Returns what would end an operation that the server has done.
  private func ends(_ operation: Row, _ account: UInt32, _ base: Row) -> [String] {
    let acknowledgement = operation[Operations.acknowledgement] ?? 0
    let asked = "a fact requested after #\(acknowledgement)"
    var ends = ["\(asked) that says the same"]
    let switches = views.value(of: Accounts.switches, in: "\(account)", of: accounts)
    if switches?.readsOwnWrites == true { ends.append("\(asked), whatever it says") }
    if let version = operation[Operations.acknowledgedVersion] {
      ends.append("\(asked) that has a version above \(version)")
    }
    let place = InboxReducer.collections.firstIndex(of: Operations.collection) ?? 0
    let timer = "\(place)/\(operation.id)"
    if let due = views.value(of: Timers.due, in: timer, of: Timers.collection) {
      ends.append("the clock at \(due)")
    }
    return ends
  }
}

extension Hiding {
  /// All of the reasons, in words.
  package var reasons: [String] {
    let words: [(Hiding, String)] = [
      (.loggedOut, "its account is logged out"), (.inboxOff, "its account has no inbox at present"),
      (.restricted, "the account's data may not be used"), (.deleting, "it is to be deleted"),
      (.untold, "all that is known is that it was opened"),
      (.sent, "it was a draft that was sent, and is not a message yet"),
    ]
    return words.filter { contains($0.0) }.map(\.1)
  }
}
