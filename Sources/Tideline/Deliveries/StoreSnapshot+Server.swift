package import EventStore

/// The state of objects with respect to their server.
extension StoreSnapshot {
  /// Returns whether no server has reported or accepted an object yet.
  package func isNew(_ id: String, _ kind: ObjectKind, of account: UInt32) -> Bool {
    let making = value(of: InboxFields.making, in: "\(account)/\(id)", of: kind.collection)
    return making?.owned.contains(.object) == true
  }

  /// Returns whether an object with an id exists, shown or not.
  package func isThere(_ id: String, _ kind: ObjectKind, of account: UInt32) -> Bool {
    value(of: InboxFields.known, in: "\(account)/\(id)", of: kind.collection) != nil
  }

  /// Returns an object as it is shown, or would be if its person had not logged out.
  ///
  /// - Parameter isDeleted: Whether it may also be one that is to be deleted.
  /// - Complexity: O(log n)
  package func heldObject<Object: Model>(
    _ type: Object.Type, _ id: String, of account: UInt32, orDeleted isDeleted: Bool = false
  ) throws -> Object? {
    let allowed: Hiding = isDeleted ? [.loggedOut, .deleting] : .loggedOut
    guard let row = try row("\(account)/\(id)", in: Object.collection),
      row[InboxFields.hiding]?.subtracting(allowed).isEmpty != false
    else { return nil }
    switch Object.objectClass {
    // Both classes share one collection.
    case .message: guard row[Messages.kind] == .message else { return nil }
    case .draft: guard row[Messages.kind] == .draft else { return nil }
    default: break
    }
    return Object.read(row)
  }

  /// Returns the id by which the server knows an object.
  package func serverID(of id: String, _ kind: ObjectKind, in account: UInt32) -> String {
    guard let field = kind.serverID else { return id }
    return value(of: field, in: "\(account)/\(id)", of: kind.collection) ?? id
  }

  /// Returns how the object in a row stands with its server.
  ///
  /// - Complexity: O(log n)
  package func standing(of row: RowID, _ kind: ObjectKind) -> ServerStanding {
    var standing = ServerStanding(base: row, bases: kind.collection)
    lend(row, in: kind.collection) { row in
      standing.isNew = row[InboxFields.making]?.owned.contains(.object) == true
      standing.serverID = kind.serverID.flatMap { row[$0] }
      if let bases = kind.bases, let base = row[InboxFields.overlay]?.base {
        (standing.base, standing.bases) = (base, bases)
      }
      standing.operation = row[InboxFields.overlay]?.operation
      if kind.objectClass == .rich { standing.requestID = row[RichMessages.requestID] }
    }
    return standing
  }
}

extension StoreSnapshot {
  /// Returns whether the server has changed an object in a way that it has not reported yet.
  package func hasUnshown(_ standing: ServerStanding) -> Bool {
    guard let first = standing.operation else { return false }
    var state: Operations.State?
    lend(first, in: Operations.collection) { state = $0[Operations.state] }
    return state == .acknowledged
  }

  /// Returns the operations on an object, by any of its ids, in the order of their intents.
  ///
  /// - Complexity: O(operations on the object)
  func operations(on id: String, _ kind: ObjectKind, of account: UInt32) throws -> [Row] {
    let first = value(of: InboxFields.overlay, in: "\(account)/\(id)", of: kind.collection)?
      .operation
    var rows: [Row] = []
    for operation in operations(from: first) {
      if let row = try row(operation, in: Operations.collection) { rows.append(row) }
    }
    return rows
  }

  /// Returns the operations on an object from one of them on, in the order of their intents.
  ///
  /// - Complexity: O(operations on the object)
  package func operations(from first: RowID?) -> [RowID] {
    var (all, next): ([RowID], RowID?) = ([], first)
    while let operation = next {
      all.append(operation)
      next = nil
      lend(operation, in: Operations.collection) { next = $0[Operations.next] }
    }
    return all
  }
}

/// The state of an object with respect to its server.
package struct ServerStanding: Sendable {
  /// Whether the server has neither reported nor accepted it yet.
  package fileprivate(set) var isNew = false
  /// The id by which the server knows it, if that differs.
  package fileprivate(set) var serverID: String?
  /// The row with the server's state.
  package fileprivate(set) var base: RowID
  /// The collection of that row.
  package fileprivate(set) var bases: RowCollection
  /// The first open operation on the object.
  package fileprivate(set) var operation: RowID?
  /// The id of the sending of the object, if it is a rich message.
  package fileprivate(set) var requestID: String?
}

extension StoreSnapshot {
  /// The behavior of an account's server.
  func switches(of account: UInt32) -> SwitchBits? {
    value(of: Accounts.switches, in: "\(account)", of: Accounts.collection)
  }
}
