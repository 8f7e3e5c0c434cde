import EventStore

/// The part of a delivery that is news.
struct News {
  /// The facts to record, in the server's order.
  private(set) var facts: [ObjectFact] = []
  /// Objects that are reported although they were found gone since the request, or that were
  /// requested individually and not found although they were reported since: it is unknown which is
  /// newer.
  private(set) var doubtful: [ObjectName] = []
  /// The indices of messages that were never seen whole before.
  private var received: [Int] = []
  private let account: UInt32
  private let asked: RecordNumber
  private let isOneObject: Bool
  private let wantsReceipts: Bool
  private var known: [ObjectClass: [String]] = [:]
  private var recent = Recent()

  /// Creates empty news of a response that was requested after a record, about one or several of an
  /// account's objects.
  init(
    of account: UInt32, askedAfter asked: RecordNumber, isOneObject: Bool, wantsReceipts: Bool
  ) {
    (self.account, self.asked) = (account, asked)
    (self.isOneObject, self.wantsReceipts) = (isOneObject, wantsReceipts)
  }

  /// Returns receipts of messages, if they are wanted, by the indices of the messages' facts.
  func receipts(_ key: () -> OperationKey) -> [Int: MessageDownloaded] {
    var receipts: [Int: MessageDownloaded] = [:]
    for place in received {
      let fact = facts[place]
      receipts[place] = MessageDownloaded {
        ($0.objectClass, $0.id) = (fact.objectClass, fact.fields.id ?? "")
        ($0.requestID, $0.key) = (fact.fields.text(.requestID), key())
      }
    }
    return receipts
  }

  /// The unchanged objects with an operation that was acknowledged before the request, which this
  /// may end; for other objects, being unchanged has no effect.
  var unchanged: [ObjectNames] {
    known.sorted { $0.key.rawValue < $1.key.rawValue }.map { ObjectNames($0.key, $0.value) }
  }

  /// Examines more facts.
  ///
  /// - Complexity: O(log n) for each of them.
  mutating func add(_ part: ArraySlice<ObjectFact>, from snapshot: borrowing StoreSnapshot) {
    let isTracked = wantsReceipts && snapshot.mayTrack(account)
    let hasRemoved = snapshot.hasRemoved(since: asked)
    // The class of the last fact, if nothing of it was ever known.
    var newClass: ObjectClass?
    for fact in part {
      if !isTracked, !hasRemoved,
        fact.objectClass == newClass || snapshot.knowsNone(of: fact.objectClass)
      {
        newClass = fact.objectClass
        facts.append(fact)
        continue
      }
      let (id, change) = fact.fields.head
      let isRemoval = change == .deleted || change == .gone
      if isRemoval, snapshot.isOfReplaced(fact, of: account) { continue }
      if isDoubtful(fact, change, hasRemoved, snapshot) {
        doubtful.append(ObjectName(fact.objectClass, id ?? ""))
      }
      guard let id, let kind = ObjectKind.of(fact.objectClass), !isRemoval,
        let first = snapshot.firstOperation(
          on: ObjectKey(id, kind, of: account), kind, asIn: fact),
        !recent.concerns(fact, after: facts)
      else {
        if isTracked, snapshot.isFirst(fact, of: account) { received.append(facts.count) }
        facts.append(fact)
        continue
      }
      if snapshot.isAnyAcknowledged(from: first, by: asked) {
        known[fact.objectClass, default: []].append(id)
      }
    }
  }

  private func isDoubtful(
    _ fact: ObjectFact, _ change: ObjectChange, _ hasRemoved: Bool,
    _ snapshot: borrowing StoreSnapshot
  ) -> Bool {
    switch change {
    case .gone: isOneObject && snapshot.wasTold(of: fact, of: account, since: asked)
    case .deleted: false
    default: hasRemoved && snapshot.isDoubtful(fact, of: account, askedAfter: asked)
    }
  }
}

/// The objects that earlier facts of the same response are about or change; their known state no
/// longer counts.
private struct Recent {
  private var names: Set<ObjectName> = []
  /// The number of facts included in the names.
  private var count = 0

  /// Returns whether an earlier fact is about a fact's object or changes it: messages change their
  /// threads, and threads their messages.
  ///
  /// - Complexity: O(facts added since the last call)
  mutating func concerns(_ fact: ObjectFact, after facts: [ObjectFact]) -> Bool {
    for fact in facts[count...] { names.formUnion(fact.concerned) }
    count = facts.count
    return !names.isEmpty && fact.concerned.contains(where: names.contains)
  }
}

extension ObjectFact {
  /// The object, and the thread that contains it.
  fileprivate var concerned: [ObjectName] {
    let objectClass = objectClass == .draft ? .message : objectClass
    let thread = objectClass == .message ? fields.text(.thread) : nil
    return [ObjectName(objectClass, fields.id ?? "")]
      + (thread.map { [ObjectName(.thread, $0)] } ?? [])
  }
}

extension StoreSnapshot {
  /// Returns whether the object that a fact removes has an id that the server has replaced by
  /// another: the object still exists.
  fileprivate func isOfReplaced(_ fact: ObjectFact, of account: UInt32) -> Bool {
    guard let id = fact.fields.id, let kind = ObjectKind.of(fact.objectClass),
      !TemporaryID.begins(id)
    else { return false }
    return serverID(of: id, kind, in: account) != id
  }

  /// Returns whether senders may learn what an account receives and opens.
  fileprivate func mayTrack(_ account: UInt32) -> Bool {
    let privacy = value(of: Accounts.privacy, in: "\(account)", of: Accounts.collection)
    return privacy ?? .unrestricted == .unrestricted
  }

  /// Returns whether anything may have been removed after a record, judging by the last tombstone.
  fileprivate func hasRemoved(since asked: RecordNumber) -> Bool {
    guard let last = lastRow(of: Tombstones.collection) else { return false }
    // If the last tombstone is gone, those before it are unknown.
    var isLater = true
    lend(last, in: Tombstones.collection) { stone in
      isLater = stone[Tombstones.record]?.rawValue ?? .max > asked.rawValue
    }
    return isLater
  }

  /// Returns whether no object of a class was ever known, so that every fact about one is news.
  fileprivate func knowsNone(of objectClass: ObjectClass) -> Bool {
    guard let kind = ObjectKind.of(objectClass) else { return false }
    return lastRow(of: kind.collection) == nil
  }

  /// Returns whether a fact is about an object that was removed since the request, but not here.
  fileprivate func isDoubtful(
    _ fact: ObjectFact, of account: UInt32, askedAfter asked: RecordNumber
  ) -> Bool {
    guard let id = fact.fields.id, let kind = ObjectKind.of(fact.objectClass) else {
      return false
    }
    var isDoubtful = false
    let key = ObjectKey(id, kind, of: account)
    guard let stone = row(foundBy: key.stone, in: Tombstones.collection) else { return false }
    lend(stone, in: Tombstones.collection) { stone in
      guard stone[Tombstones.isOwn] != true,
        fact.objectClass == .draft || stone[Tombstones.isOfDraft] != true,
        stone[Tombstones.record]?.rawValue ?? 0 > asked.rawValue
      else { return }
      let isLater = stone[Tombstones.version].flatMap { last in
        fact.fields.integer(.version).map { $0 > last }
      }
      isDoubtful = isLater != true
    }
    return isDoubtful
  }

  /// Returns whether a fact's object was reported after a record.
  fileprivate func wasTold(
    of fact: ObjectFact, of account: UInt32, since asked: RecordNumber
  ) -> Bool {
    guard let id = fact.fields.id, let kind = ObjectKind.of(fact.objectClass) else { return false }
    var told: UInt64 = 0
    let key = ObjectKey(id, kind, of: account)
    lend(key.row, in: kind.collection) { row in told = row[InboxFields.told]?.rawValue ?? 0 }
    return told > asked.rawValue
  }

  /// Returns whether a fact is the first whole one about a rich message.
  fileprivate func isFirst(_ fact: ObjectFact, of account: UInt32) -> Bool {
    guard fact.objectClass == .rich, fact.fields.change == .whole, let id = fact.fields.id else {
      return false
    }
    return value(of: InboxFields.known, in: "\(account)/\(id)", of: RichMessages.collection) != -1
  }

  /// Returns the first operation on an object, if any; `nil` if the object's known state differs
  /// from the fact.
  fileprivate func firstOperation(
    on key: ObjectKey, _ kind: ObjectKind, asIn fact: ObjectFact
  ) -> RowID?? {
    var first: RowID??
    lend(key.row, in: kind.collection) { row in
      guard row[InboxFields.digest]?.rawValue == fact.fields.digest else { return }
      // A sent draft becomes a message even if nothing else of it changes.
      let isDraft = kind.objectClass == .message && row[Messages.kind] == .draft
      guard isDraft == (fact.objectClass == .draft) else { return }
      first = .some(row[InboxFields.overlay]?.operation)
    }
    return first
  }

  /// Returns whether any operation on an object was not acknowledged up to a record.
  func isAnyOpen(from first: RowID?, at last: RecordNumber) -> Bool {
    isAny(from: first) { $0.map { $0 > last.rawValue } ?? true }
  }

  /// Returns whether any operation on an object was acknowledged up to a record.
  fileprivate func isAnyAcknowledged(from first: RowID?, by last: RecordNumber) -> Bool {
    isAny(from: first) { $0.map { $0 <= last.rawValue } ?? false }
  }

  /// Returns whether any operation on an object meets a condition on the record that acknowledged
  /// it.
  private func isAny(from first: RowID?, _ isSuch: (UInt64?) -> Bool) -> Bool {
    operations(from: first).contains { operation in
      var isAny = false
      lend(operation, in: Operations.collection) { row in
        isAny = isSuch(row[Operations.acknowledgement].map { UInt64(clamping: $0) })
      }
      return isAny
    }
  }
}

extension Array {
  /// The elements in slices of a given size.
  func parts(of size: Int) -> some Sequence<ArraySlice<Element>> {
    stride(from: 0, to: count, by: size).lazy.map { self[$0..<Swift.min($0 + size, count)] }
  }
}
