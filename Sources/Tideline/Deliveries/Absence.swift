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

  /// An object that an answer has not.
  struct Absent {
    /// That it is gone.
    let fact: ObjectFact
    /// Whether it may be there all the same: something is open on it, or it was told of since the
    /// server was asked.
    let isDoubtful: Bool
    /// Its id at the server, where that is so.
    let doubtfulID: String?
  }

  /// The objects that were not told of; not those that are made meanwhile.
  ///
  /// - Complexity: O(rows that were ever made), and O(log n) for each that was told of.
  func objects(
    told: [String], askedAfter asked: RecordNumber, _ look: Intake.Look
  ) throws -> [Absent] {
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
    var absent: [Absent] = []
    for start in stride(from: 1, through: last, by: Int(Self.rowsMax)) {
      try look { snapshot in
        for number in start...min(last, start + Self.rowsMax - 1) {
          let row = RowID(rawValue: number)
          guard !rows.contains(row), let id = id(of: row, kind, snapshot) else { continue }
          let isDoubtful = isDoubtful(row, kind, asked, snapshot)
          let serverID = isDoubtful ? snapshot.serverID(of: id, kind, in: account) : nil
          absent.append(Absent(fact: fact(id), isDoubtful: isDoubtful, doubtfulID: serverID))
        }
      }
    }
    return absent
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

  /// Whether that an object is absent does not say that it is gone; not of one that no server has
  /// told of yet.
  private func isDoubtful(
    _ row: RowID, _ kind: ObjectKind, _ asked: RecordNumber, _ snapshot: borrowing StoreSnapshot
  ) -> Bool {
    var (isKnown, told, first): (Bool, UInt64, RowID?) = (false, 0, nil)
    snapshot.lend(row, in: kind.collection) { row in
      // Nor of a draft that was sent: the server has it as a message.
      isKnown =
        row[InboxFields.making]?.owned.contains(.object) != true
        && row[InboxFields.hiding]?.contains(.sent) != true
      (told, first) = (row[InboxFields.told]?.rawValue ?? 0, row[InboxFields.overlay]?.operation)
    }
    return isKnown && (told > asked.rawValue || snapshot.isAnyOpen(from: first, at: asked))
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
