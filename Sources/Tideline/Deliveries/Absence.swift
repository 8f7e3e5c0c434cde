import EventStore

/// Finds the objects of a class that a whole response lacks.
struct Absence {
  private let objectClass: ObjectClass
  private let account: UInt32

  /// Searches an account's objects.
  init(_ objectClass: ObjectClass, of account: UInt32) {
    (self.objectClass, self.account) = (objectClass, account)
  }

  /// The number of rows that are examined together.
  private static let rowsMax: UInt32 = 1024

  /// An object that a response lacks.
  struct Absent {
    /// The fact that it is gone.
    let fact: ObjectFact
    /// Whether it may exist all the same: an operation is open on it, or it was reported since the
    /// request.
    let isDoubtful: Bool
    /// Its id at the server, if it is doubtful.
    let doubtfulID: String?
  }

  /// Returns the objects that were not reported, except those that are created meanwhile.
  ///
  /// - Parameter told: The reported ids, which are the server's.
  /// - Complexity: O(rows that were ever made)
  func objects(
    told: Set<String>, askedAfter asked: RecordNumber, _ look: Intake.Look
  ) throws -> [Absent] {
    guard let kind = ObjectKind.of(objectClass) else { return [] }
    var (last, absent): (UInt32, [Absent]) = (0, [])
    try look { last = $0.lastRow(of: kind.collection)?.rawValue ?? 0 }
    for start in stride(from: 1, through: last, by: Int(Self.rowsMax)) {
      try look { snapshot in
        for number in start...min(last, start + Self.rowsMax - 1) {
          let row = RowID(rawValue: number)
          guard let name = name(of: row, kind, snapshot), !told.contains(name.id),
            name.serverID.map(told.contains) != true
          else { continue }
          let isDoubtful = isDoubtful(row, kind, asked, snapshot)
          let doubtfulID = isDoubtful ? name.serverID ?? name.id : nil
          absent.append(
            Absent(fact: fact(name.id), isDoubtful: isDoubtful, doubtfulID: doubtfulID))
        }
      }
    }
    return absent
  }

  /// Returns the id of a row's object, and the id by which the server knows it if that differs, as
  /// for an object created on the device; `nil` if the row is empty, or of another class or
  /// account.
  fileprivate func name(
    of row: RowID, _ kind: ObjectKind, _ snapshot: borrowing StoreSnapshot
  ) -> (id: String, serverID: String?)? {
    var name: (String, String?)?
    snapshot.lend(row, in: kind.collection) { row in
      let isOurs =
        switch objectClass {
        // Both classes share one collection.
        case .message: row[Messages.kind] == .message
        case .draft: row[Messages.kind] == .draft
        default: true
        }
      guard isOurs, let id = Message.name(of: row.id), id.account == account
      else { return }
      name = (id.id, kind.serverID.flatMap { row[$0] })
    }
    return name
  }

  /// Returns whether an absent object may still exist; never true of one that no server has
  /// reported.
  private func isDoubtful(
    _ row: RowID, _ kind: ObjectKind, _ asked: RecordNumber, _ snapshot: borrowing StoreSnapshot
  ) -> Bool {
    var (isKnown, isSent, told, first): (Bool, Bool, UInt64, RowID?) = (false, false, 0, nil)
    snapshot.lend(row, in: kind.collection) { row in
      isKnown = row[InboxFields.making]?.owned.contains(.object) != true
      isSent = row[InboxFields.hiding]?.contains(.sent) == true
      (told, first) = (row[InboxFields.told]?.rawValue ?? 0, row[InboxFields.overlay]?.operation)
    }
    // The server has a sent draft as a message; if that is gone, a later text must not stay hidden.
    guard isKnown else { return false }
    if isSent { return snapshot.isAnyOpen(from: first, at: RecordNumber(rawValue: .max)) }
    return told > asked.rawValue || snapshot.isAnyOpen(from: first, at: asked)
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

extension StoreSnapshot {
  /// Returns the ids by which a server knows the objects of a class that it has reported, `count`
  /// of them at most.
  ///
  /// - Complexity: O(rows that were ever made)
  package func toldIDs(
    of objectClass: ObjectClass, in account: UInt32, atMost count: Int = .max
  ) -> Set<String> {
    guard let kind = ObjectKind.of(objectClass), let last = lastRow(of: kind.collection) else {
      return []
    }
    let (objects, collection) = (Absence(objectClass, of: account), kind.collection)
    var ids: Set<String> = []
    for number in 1...last.rawValue where ids.count < count {
      var isTold = false
      lend(RowID(rawValue: number), in: collection) { isTold = $0[InboxFields.told] != nil }
      guard isTold, let name = objects.name(of: RowID(rawValue: number), kind, self) else {
        continue
      }
      ids.insert(name.serverID ?? name.id)
    }
    return ids
  }
}
