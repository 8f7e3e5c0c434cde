import EventStore

/// Finds the objects of a class that a whole answer has not.
struct Absence {
  private let objectClass: ObjectClass
  private let account: UInt32

  /// Of an account's objects.
  init(_ objectClass: ObjectClass, of account: UInt32) {
    (self.objectClass, self.account) = (objectClass, account)
  }

  /// So many rows are looked at together.
  private static let rowsMax: UInt32 = 1024

  /// That those objects are gone which were not told of; not those that are made meanwhile.
  ///
  /// - Complexity: O(rows that were ever made), and O(log n) for each that was told of.
  func facts(told: [String], _ look: Intake.Look) throws -> [ObjectFact] {
    guard let kind = ObjectKind.of(objectClass) else { return [] }
    var (last, rows): (UInt32, Set<RowID>) = (0, [])
    try look { last = $0.lastRow(of: kind.collection)?.rawValue ?? 0 }
    rows.reserveCapacity(told.count)
    for part in told.parts(of: Intake.partMax) {
      try look { snapshot in
        // What the device had made has another id here than a server tells.
        for id in part {
          let key = ObjectKey(id, kind, of: account)
          if let row = snapshot.row(foundBy: key.row, in: kind.collection) { rows.insert(row) }
        }
      }
    }
    var gone: [ObjectFact] = []
    for start in stride(from: 1, through: last, by: Int(Self.rowsMax)) {
      try look { snapshot in
        for number in start...min(last, start + Self.rowsMax - 1) {
          let row = RowID(rawValue: number)
          if !rows.contains(row), let id = id(of: row, kind, snapshot) { gone.append(fact(id)) }
        }
      }
    }
    return gone
  }

  /// The object that a row is of; `nil` where there is none, or it is another class's or account's.
  private func id(
    of row: RowID, _ kind: ObjectKind, _ snapshot: borrowing StoreSnapshot
  ) -> String? {
    var isOurs = false
    snapshot.lend(row, in: kind.collection) { row in
      switch objectClass {
      // Both are rows of one collection.
      case .message: isOurs = row[Messages.kind] == .message
      case .draft: isOurs = row[Messages.kind] == .draft
      default: isOurs = row[InboxFields.account] == Int64(account)
      }
    }
    guard isOurs, let text = snapshot.id(of: row, in: kind.collection),
      let name = Message.name(of: text), name.account == account
    else { return nil }
    return name.id
  }

  private func fact(_ id: String) -> ObjectFact {
    ObjectFact(
      objectClass,
      ObjectFields {
        $0.put(.id, id)
        $0.put(.change, ObjectChange.gone)
      })
  }
}
