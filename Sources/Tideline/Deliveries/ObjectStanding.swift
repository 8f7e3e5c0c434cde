package import EventStore

/// What is known of an object beside what is shown: what hides it, what is open on it, and whether
/// it was deleted.
package struct ObjectStanding: Sendable, Hashable {
  /// The id of the row that the id finds; the id itself where it finds none.
  package var rowID: String
  /// What is visible, shown or hidden; `nil` where there is no such object.
  package var visible: Row?
  /// What the server says, where that is kept apart.
  package var base: Row?
  /// Why it is hidden, in words.
  package var hiding: [String] = []
  /// What is open on it, in the order of the intents.
  package var operations: [Operation] = []
  /// What was left when it was deleted.
  package var stone: Stone?

  /// Something that was wanted and is not over.
  package struct Operation: Sendable, Hashable {
    /// The record that says so.
    package var intent: RecordNumber
    /// What was wanted, in words.
    package var action: String
    /// How far it has come, in words.
    package var state: String
    /// What would end it, in words.
    package var ends: [String]
  }

  /// What keeps facts from bringing an object back.
  package struct Stone: Sendable, Hashable {
    /// The record that deleted it.
    package var record: RecordNumber?
    /// When that was.
    package var deletedAt: Timestamp?
    /// The version that it had.
    package var version: Int?
    /// Whether the device deleted it, so that this never ends.
    package var isOwn: Bool
    /// When it counts no more.
    package var endsAt: Timestamp?
  }
}

extension Replay {
  /// What is known of an object where the replay stands.
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

  /// An operation, and the next on the same object.
  private func open(
    _ operation: RowID, _ account: UInt32, _ base: Row
  ) throws(StoreError) -> (ObjectStanding.Operation, next: RowID?)? {
    let shape = Operations.collection.shape
    let found = try withRow(operation, of: Operations.collection) { view -> (Row, RowID?)? in
      guard let view, view.isPresent else { return nil }
      return (Row(view, shape), view.value(Operations.next.number - 1, shape, as: RowID.self))
    }
    guard let (row, next) = found, let action = row[Operations.action] else { return nil }
    let state = row[Operations.state] ?? .waiting
    return (
      ObjectStanding.Operation(
        intent: RecordNumber(rawValue: UInt64(row[Operations.intent] ?? 0)),
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

  /// What would end an operation that the server has done.
  private func ends(_ operation: Row, _ account: UInt32, _ base: Row) -> [String] {
    let acknowledgement = operation[Operations.acknowledgement] ?? 0
    let asked = "a fact that was asked for behind #\(acknowledgement)"
    var ends = ["\(asked) and says the same"]
    let switches = views.value(of: Accounts.switches, in: "\(account)", of: accounts)
    if switches?.readsOwnWrites == true { ends.append("\(asked), whatever it says of it") }
    if let version = operation[Operations.acknowledgedVersion] {
      ends.append("\(asked) and has a version above \(version)")
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
  /// Each of the reasons, in words.
  package var reasons: [String] {
    let words: [(Hiding, String)] = [
      (.loggedOut, "its account is logged out"), (.inboxOff, "there is no inbox at present"),
      (.restricted, "nothing may be done with data"), (.deleting, "it is to be deleted"),
      (.untold, "nothing is known of it but that it was opened"),
      (.sent, "it was a draft that was sent, and is not a message yet"),
    ]
    return words.filter { contains($0.0) }.map(\.1)
  }
}
