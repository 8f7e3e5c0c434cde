package import EventStore

/// What is known of what a server knows.
extension StoreSnapshot {
  /// Whether a server has not told of an object, nor taken it.
  package func isNew(_ id: String, _ kind: ObjectKind, of account: UInt32) -> Bool {
    let making = value(of: InboxFields.making, in: "\(account)/\(id)", of: kind.collection)
    return making?.owned.contains(.object) == true
  }

  /// Whether there is an object of an id, shown or not.
  package func isThere(_ id: String, _ kind: ObjectKind, of account: UInt32) -> Bool {
    value(of: InboxFields.known, in: "\(account)/\(id)", of: kind.collection) != nil
  }

  /// An object as it is shown, or would be if its person had not logged out.
  ///
  /// - Complexity: O(log n)
  package func heldObject<Object: Model>(
    _ type: Object.Type, _ id: String, of account: UInt32
  ) throws -> Object? {
    guard let row = try row("\(account)/\(id)", in: Object.collection),
      row[InboxFields.hiding]?.subtracting(.loggedOut).isEmpty != false
    else { return nil }
    switch Object.objectClass {
    // Both are rows of one collection.
    case .message: guard row[Messages.kind] == .message else { return nil }
    case .draft: guard row[Messages.kind] == .draft else { return nil }
    default: break
    }
    return Object.read(row)
  }

  /// The id by which the server knows an object.
  package func serverID(of id: String, _ kind: ObjectKind, in account: UInt32) -> String {
    guard let field = kind.serverID else { return id }
    return value(of: field, in: "\(account)/\(id)", of: kind.collection) ?? id
  }

  /// How the object in a row stands with its server.
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
    }
    return standing
  }
}

extension StoreSnapshot {
  /// Whether the server has done something to an object that it has not told of yet.
  package func hasUnshown(_ standing: ServerStanding) -> Bool {
    guard let first = standing.operation else { return false }
    var state: Operations.State?
    lend(first, in: Operations.collection) { state = $0[Operations.state] }
    return state == .acknowledged
  }
}

/// How an object stands with its server.
package struct ServerStanding: Sendable {
  /// Whether the server has not told of it, nor taken it.
  package fileprivate(set) var isNew = false
  /// The id by which the server knows it, where that is another.
  package fileprivate(set) var serverID: String?
  /// The row with what the server says of it.
  package fileprivate(set) var base: RowID
  /// Where that row is.
  package fileprivate(set) var bases: RowCollection
  /// The first operation that is open on it.
  fileprivate(set) var operation: RowID?
}

extension StoreSnapshot {
  /// How an account's server behaves.
  func switches(of account: UInt32) -> SwitchBits? {
    value(of: Accounts.switches, in: "\(account)", of: Accounts.collection)
  }
}
