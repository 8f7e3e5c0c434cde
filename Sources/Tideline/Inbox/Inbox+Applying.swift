import EventStore
import Synchronization

extension Inbox {
  /// Takes in what a server has told, all of it together.
  ///
  /// What is known already is not recorded again. What a whole answer has not is gone, where the
  /// policy says so; but an empty one removes more than a few objects only the second time.
  ///
  /// - Returns: How many records it took, besides that of the answer.
  /// - Complexity: O(*n* log *m*), and O(m) for a whole answer.
  /// - Throws: ``IntentError/loggedOut``, `StoreError`.
  @discardableResult
  public func apply(_ delivery: Delivery) async throws -> Int {
    let login = try login()
    let news = try store.core.read { snapshot in try snapshot.news(in: delivery, of: account) }
    let gone = delivery.extent == .whole ? try absent(from: delivery) : []
    let (now, log) = (store.now, try store.core.log)
    var batch = Batch()
    batch.add(exchange(delivery, news.unchanged), recordedAt: now, login: login)
    for fact in news.facts + gone {
      let entity = fact.entity.map { log.fingerprint(of: $0.text(in: account)) }
      batch.add(
        fact, recordedAt: now, login: login, exchange: .sameBatch(0), entity: entity)
    }
    for cursor in delivery.cursors {
      batch.add(cursor, recordedAt: now, login: login, exchange: .sameBatch(0))
    }
    try await store.core.append(batch)
    store.caretaker.note(batch.count, in: store)
    return batch.count - 1
  }

  private func exchange(_ delivery: Delivery, _ unchanged: [ObjectNames]) -> Exchange {
    Exchange {
      $0.request = delivery.extent == .whole ? .all : .deltas
      $0.completeness = delivery.extent == .whole ? .whole : .partial
      $0.sentAfter = delivery.askedAfter ?? store.lastNumber
      $0.count = Int64(delivery.facts.count)
      $0.unchanged = unchanged
    }
  }

  /// That objects are gone which a whole answer has not.
  private func absent(from delivery: Delivery) throws -> [ObjectFact] {
    let (switches, limit) = try store.core.read { snapshot in
      (
        snapshot.switches(of: account),
        snapshot.value(
          of: Accounts.emptyAnswerRowsMax, in: "\(account)", of: Accounts.collection) ?? 0
      )
    }
    guard switches?.absenceDeletes == true else { return [] }
    return try delivery.classes.sorted { $0.rawValue < $1.rawValue }.flatMap { objectClass in
      let told = delivery.facts.filter { $0.objectClass == objectClass }.compactMap(\.fields.id)
      let absent = try absent(objectClass, from: told)
      let mayBe = store.mayRemove(
        absent.count, objectClass, of: account, isEmpty: told.isEmpty, limit: limit)
      return mayBe ? absent : []
    }
  }

  private func absent(
    _ objectClass: ObjectClass, from told: [String]
  ) throws -> [ObjectFact] {
    guard let kind = ObjectKind.of(objectClass) else { return [] }
    let (rows, known) = try store.core.read { snapshot in
      // What the device had made has another id here than a server tells.
      let rows = told.compactMap { id in
        snapshot.rowID(foundBy: "\(account)/\(id)", in: kind.collection)
      }
      return (Set(rows), snapshot.rowIDs(of: objectClass, kind, in: account))
    }
    let absent = known.filter { !rows.contains($0) }.compactMap(Message.name(of:))
    return absent.filter { $0.account == account }.map(\.id).map { id in
      ObjectFact(
        objectClass,
        ObjectFields {
          $0.put(.id, id)
          $0.put(.change, ObjectChange.gone)
        })
    }
  }
}

extension InboxStore {
  /// The last record that there is.
  var lastNumber: RecordNumber { (try? core.log.last) ?? .zero }

  /// Whether an answer may remove so many objects: an empty one has to come twice.
  func mayRemove(
    _ count: Int, _ objectClass: ObjectClass, of account: UInt32, isEmpty: Bool, limit: Int
  ) -> Bool {
    doubts.withLock { doubts in
      let key = ObjectName(objectClass, "\(account)")
      guard isEmpty, count > limit else {
        doubts.remove(key)
        return true
      }
      return doubts.remove(key) != nil || !doubts.insert(key).inserted
    }
  }
}

extension StoreSnapshot {
  /// The ids of the rows of a class: of an account's, or of messages or drafts of any account.
  fileprivate func rowIDs(
    of objectClass: ObjectClass, _ kind: ObjectKind, in account: UInt32
  ) -> [String] {
    switch objectClass {
    // Both are rows of one collection.
    case .message: ids(of: kind.collection, where: Messages.kind, is: .message)
    case .draft: ids(of: kind.collection, where: Messages.kind, is: .draft)
    default: ids(of: kind.collection, where: InboxFields.account, is: Int64(account))
    }
  }

  /// What a delivery has that is news, and what is known already of objects on which something is
  /// open: to others it means nothing that nothing is new.
  fileprivate func news(
    in delivery: Delivery, of account: UInt32
  ) throws -> (facts: [ObjectFact], unchanged: [ObjectNames]) {
    var facts: [ObjectFact] = []
    var unchanged: [ObjectClass: [String]] = [:]
    for fact in delivery.facts {
      guard let id = fact.fields.id, let kind = ObjectKind.of(fact.objectClass),
        fact.fields.change != .deleted,
        let isOpen = isOpen(ObjectKey(id, kind, of: account), kind, asIn: fact.fields.digest)
      else {
        facts.append(fact)
        continue
      }
      if isOpen { unchanged[fact.objectClass, default: []].append(id) }
    }
    let names = unchanged.sorted { $0.key.rawValue < $1.key.rawValue }
    return (facts, names.map { ObjectNames($0.key, $0.value) })
  }

  /// Whether an object has a base beside what is visible of it; `nil` where it is not known to be
  /// as in a digest.
  private func isOpen(_ key: ObjectKey, _ kind: ObjectKind, asIn digest: UInt64) -> Bool? {
    var isOpen: Bool?
    lend(key.row, in: kind.collection) { row in
      guard row[InboxFields.digest]?.rawValue == digest else { return }
      isOpen = row[InboxFields.overlay]?.base != nil
    }
    return isOpen
  }
}
