package import EventStore

/// Makes records of what a server has told.
package struct Intake: Sendable {
  /// What an empty answer would have removed, had it come twice.
  private var doubts: Set<ObjectName> = []

  /// One that has seen no answer yet.
  package init() {}

  /// The records of a delivery: that of the answer first, then what is news in it.
  ///
  /// - Parameters:
  ///   - delivery: What the server has told.
  ///   - login: Under which it was asked.
  ///   - now: What time it is.
  ///   - snapshot: What is known.
  ///   - fingerprint: By what a record names what it is about.
  ///   - events: What came of it besides.
  /// - Complexity: O(*n* log *m*), and O(m) for a whole answer.
  package mutating func batch(
    of delivery: Delivery, for login: Login, at now: Timestamp,
    _ snapshot: borrowing StoreSnapshot, _ fingerprint: (String) -> Fingerprint,
    with events: [any InboxEvent] = []
  ) throws -> Batch {
    let news = snapshot.news(in: delivery, of: login.account)
    let gone = try absent(from: delivery, of: login.account, snapshot)
    var batch = Batch()
    let exchange = delivery.exchange(unchanged: news.unchanged, at: snapshot.position.number)
    batch.add(exchange, recordedAt: now, login: login)
    for fact in news.facts + gone {
      let entity = fact.entity.map { fingerprint($0.text(in: login.account)) }
      batch.add(fact, recordedAt: now, login: login, exchange: .sameBatch(0), entity: entity)
    }
    for item in delivery.refused {
      batch.add(item, recordedAt: now, login: login, exchange: .sameBatch(0))
    }
    for cursor in delivery.cursors {
      batch.add(cursor, recordedAt: now, login: login, exchange: .sameBatch(0))
    }
    for event in events {
      batch.add(event, recordedAt: now, login: login, exchange: .sameBatch(0))
    }
    return batch
  }

  /// That objects are gone which a whole answer has not.
  private mutating func absent(
    from delivery: Delivery, of account: UInt32, _ snapshot: borrowing StoreSnapshot
  ) throws -> [ObjectFact] {
    let whole = delivery.wholeClasses
    guard !whole.isEmpty, snapshot.switches(of: account)?.absenceDeletes == true else { return [] }
    let limit = snapshot.value(
      of: Accounts.emptyAnswerRowsMax, in: "\(account)", of: Accounts.collection)
    var gone: [ObjectFact] = []
    for (objectClass, told) in whole.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let absent = try snapshot.absent(objectClass, from: told, of: account)
      let name = ObjectName(objectClass, "\(account)")
      if mayRemove(absent.count, name, isEmpty: told.isEmpty, limit: limit ?? 0) { gone += absent }
    }
    return gone
  }

  /// Whether an answer may remove so many objects: an empty one has to come twice.
  private mutating func mayRemove(
    _ count: Int, _ name: ObjectName, isEmpty: Bool, limit: Int
  ) -> Bool {
    guard isEmpty, count > limit else {
      doubts.remove(name)
      return true
    }
    return doubts.remove(name) != nil || !doubts.insert(name).inserted
  }
}

extension Delivery {
  /// The ids of all objects that there are, by their class, of those classes of which it has all.
  fileprivate var wholeClasses: [ObjectClass: Set<String>] {
    guard extent == .whole else { return listed }
    var whole = listed
    for objectClass in classes { whole[objectClass, default: []] = [] }
    for fact in facts { whole[fact.objectClass]?.insert(fact.fields.id ?? "") }
    return whole
  }

  /// The record of the answer.
  fileprivate func exchange(unchanged: [ObjectNames], at last: RecordNumber) -> Exchange {
    var exchange = exchange ?? Exchange { $0.request = extent == .whole ? .all : .deltas }
    exchange.completeness = extent == .whole ? .whole : .partial
    exchange.sentAfter = askedAfter ?? last
    exchange.count = Int64(facts.count)
    exchange.unchanged = unchanged
    return exchange
  }
}

extension StoreSnapshot {
  /// What a delivery has that is news, and what is known already of objects on which something is
  /// open: to others it means nothing that nothing is new.
  fileprivate func news(
    in delivery: Delivery, of account: UInt32
  ) -> (facts: [ObjectFact], unchanged: [ObjectNames]) {
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

  /// That those objects of a class are gone which were not told of.
  fileprivate func absent(
    _ objectClass: ObjectClass, from told: Set<String>, of account: UInt32
  ) throws -> [ObjectFact] {
    guard let kind = ObjectKind.of(objectClass) else { return [] }
    var rows: Set<String> = []
    for id in told {
      // What the device had made has another id here than a server tells.
      if let row = rowID(foundBy: "\(account)/\(id)", in: kind.collection) { rows.insert(row) }
    }
    let absent = rowIDs(of: objectClass, kind, in: account).filter { !rows.contains($0) }
    return absent.compactMap(Message.name(of:)).filter { $0.account == account }.map { name in
      ObjectFact(
        objectClass,
        ObjectFields {
          $0.put(.id, name.id)
          $0.put(.change, ObjectChange.gone)
        })
    }
  }

  /// The ids of the rows of a class: of an account's, or of messages or drafts of any account.
  private func rowIDs(
    of objectClass: ObjectClass, _ kind: ObjectKind, in account: UInt32
  ) -> [String] {
    switch objectClass {
    // Both are rows of one collection.
    case .message: ids(of: kind.collection, where: Messages.kind, is: .message)
    case .draft: ids(of: kind.collection, where: Messages.kind, is: .draft)
    default: ids(of: kind.collection, where: InboxFields.account, is: Int64(account))
    }
  }
}
