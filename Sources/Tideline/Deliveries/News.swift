import EventStore

/// What of a delivery is news.
struct News {
  /// What is to be recorded, in the server's order.
  private(set) var facts: [ObjectFact] = []
  /// What is told of though it was found to be gone since the server was asked, or was asked for by
  /// itself and not found though it was told of since: nobody knows which of the two the server
  /// came to last.
  private(set) var doubtful: [ObjectName] = []
  /// The places of messages that were never seen whole before.
  private var received: [Int] = []
  private let account: UInt32
  private let asked: RecordNumber
  private let isOneObject: Bool
  private let wantsReceipts: Bool
  private var known: [ObjectClass: [String]] = [:]
  private var recent = Recent()

  /// Nothing yet, of an account's objects, in an answer that was asked for behind a record, whether
  /// about one of them or about more.
  init(
    of account: UInt32, askedAfter asked: RecordNumber, isOneObject: Bool, wantsReceipts: Bool
  ) {
    (self.account, self.asked) = (account, asked)
    (self.isOneObject, self.wantsReceipts) = (isOneObject, wantsReceipts)
  }

  /// That messages were received, for who wants to be told, by the places of their facts.
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

  /// The objects of which nothing is new, and on which something may be over by that, as it was
  /// acknowledged before: to others it means nothing that nothing is.
  var unchanged: [ObjectNames] {
    known.sorted { $0.key.rawValue < $1.key.rawValue }.map { ObjectNames($0.key, $0.value) }
  }

  /// Looks at some more facts.
  ///
  /// - Complexity: O(log n) for each of them.
  mutating func add(_ part: ArraySlice<ObjectFact>, from snapshot: borrowing StoreSnapshot) {
    let isTracked = wantsReceipts && snapshot.mayTrack(account)
    let hasRemoved = snapshot.hasRemoved(since: asked)
    for fact in part where !snapshot.isOfReplaced(fact, of: account) {
      if isDoubtful(fact, hasRemoved, snapshot) {
        doubtful.append(ObjectName(fact.objectClass, fact.fields.id ?? ""))
      }
      guard let id = fact.fields.id, let kind = ObjectKind.of(fact.objectClass),
        !fact.isRemoval,
        let first = snapshot.firstOperation(
          on: ObjectKey(id, kind, of: account), kind, asIn: fact),
        !recent.concerns(fact, behind: facts)
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
    _ fact: ObjectFact, _ hasRemoved: Bool, _ snapshot: borrowing StoreSnapshot
  ) -> Bool {
    guard fact.fields.change != .gone else {
      return isOneObject && snapshot.wasTold(of: fact, of: account, since: asked)
    }
    return hasRemoved && snapshot.isDoubtful(fact, of: account, askedAfter: asked)
  }
}

/// What the same answer has told: an object of which it tells, or which it changes, is not known to
/// be as it was.
private struct Recent {
  private var names: Set<ObjectName> = []
  /// How many facts are among the names.
  private var count = 0

  /// Whether it tells of a fact's object or changes it: messages change their threads, and threads
  /// their messages.
  ///
  /// - Complexity: O(facts that were told since it was asked that last)
  mutating func concerns(_ fact: ObjectFact, behind facts: [ObjectFact]) -> Bool {
    for fact in facts[count...] { names.formUnion(fact.concerned) }
    count = facts.count
    return !names.isEmpty && fact.concerned.contains(where: names.contains)
  }
}

extension ObjectFact {
  /// Whether it says that an object is no more.
  fileprivate var isRemoval: Bool { fields.change == .deleted || fields.change == .gone }

  /// The object, and the thread that it is in.
  fileprivate var concerned: [ObjectName] {
    let objectClass = objectClass == .draft ? .message : objectClass
    let thread = objectClass == .message ? fields.text(.thread) : nil
    return [ObjectName(objectClass, fields.id ?? "")]
      + (thread.map { [ObjectName(.thread, $0)] } ?? [])
  }
}

extension StoreSnapshot {
  /// Whether a fact says that an object is gone by an id in whose place the server has given it
  /// another: that is there.
  fileprivate func isOfReplaced(_ fact: ObjectFact, of account: UInt32) -> Bool {
    guard fact.isRemoval, let id = fact.fields.id, let kind = ObjectKind.of(fact.objectClass)
    else { return false }
    return serverID(of: id, kind, in: account) != id
  }

  /// Whether it may be told what an account receives and looks at.
  fileprivate func mayTrack(_ account: UInt32) -> Bool {
    let privacy = value(of: Accounts.privacy, in: "\(account)", of: Accounts.collection)
    return privacy ?? .unrestricted == .unrestricted
  }

  /// Whether something may have been removed since a record; not where that was removed before.
  fileprivate func hasRemoved(since asked: RecordNumber) -> Bool {
    guard let last = lastRow(of: Tombstones.collection) else { return false }
    // Where the last tombstone has gone, nobody knows of those before it.
    var isLater = true
    lend(last, in: Tombstones.collection) { stone in
      isLater = stone[Tombstones.record]?.rawValue ?? .max > asked.rawValue
    }
    return isLater
  }

  /// Whether a fact is about something that was removed since the server was asked, by nobody here.
  fileprivate func isDoubtful(
    _ fact: ObjectFact, of account: UInt32, askedAfter asked: RecordNumber
  ) -> Bool {
    guard let id = fact.fields.id, let kind = ObjectKind.of(fact.objectClass),
      !fact.isRemoval
    else { return false }
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

  /// Whether a fact's object was told of since a record.
  fileprivate func wasTold(
    of fact: ObjectFact, of account: UInt32, since asked: RecordNumber
  ) -> Bool {
    guard let id = fact.fields.id, let kind = ObjectKind.of(fact.objectClass) else { return false }
    var told: UInt64 = 0
    let key = ObjectKey(id, kind, of: account)
    lend(key.row, in: kind.collection) { row in told = row[InboxFields.told]?.rawValue ?? 0 }
    return told > asked.rawValue
  }

  /// Whether a fact is all of a rich message that was never seen whole.
  fileprivate func isFirst(_ fact: ObjectFact, of account: UInt32) -> Bool {
    guard fact.objectClass == .rich, fact.fields.change == .whole, let id = fact.fields.id else {
      return false
    }
    return value(of: InboxFields.known, in: "\(account)/\(id)", of: RichMessages.collection) != -1
  }

  /// The first operation on an object, if there is one; `nil` where the object is not known to be
  /// as in a fact.
  fileprivate func firstOperation(
    on key: ObjectKey, _ kind: ObjectKind, asIn fact: ObjectFact
  ) -> RowID?? {
    var first: RowID??
    lend(key.row, in: kind.collection) { row in
      guard row[InboxFields.digest]?.rawValue == fact.fields.digest else { return }
      // A draft that was sent is a message, though nothing else of it may be another.
      let isDraft = kind.objectClass == .message && row[Messages.kind] == .draft
      guard isDraft == (fact.objectClass == .draft) else { return }
      first = .some(row[InboxFields.overlay]?.operation)
    }
    return first
  }

  /// Whether one of the operations on an object was not acknowledged up to a record.
  func isAnyOpen(from first: RowID?, at last: RecordNumber) -> Bool {
    isAny(from: first) { $0.map { $0 > last.rawValue } ?? true }
  }

  /// Whether one of the operations on an object was acknowledged up to a record.
  fileprivate func isAnyAcknowledged(from first: RowID?, by last: RecordNumber) -> Bool {
    isAny(from: first) { $0.map { $0 <= last.rawValue } ?? false }
  }

  /// Whether one of the operations on an object is such, by the record that acknowledged it.
  private func isAny(from first: RowID?, _ isSuch: (UInt64?) -> Bool) -> Bool {
    var (next, isAny) = (first, false)
    while let operation = next, !isAny {
      next = nil
      lend(operation, in: Operations.collection) { row in
        isAny = isSuch(row[Operations.acknowledgement].map { UInt64(clamping: $0) })
        next = row[Operations.next]
      }
    }
    return isAny
  }
}

extension Array {
  /// The elements, so many at a time.
  func parts(of size: Int) -> some Sequence<ArraySlice<Element>> {
    stride(from: 0, to: count, by: size).lazy.map { self[$0..<Swift.min($0 + size, count)] }
  }
}
