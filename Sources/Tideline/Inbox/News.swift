import EventStore

/// What of a delivery is news.
struct News {
  /// What is to be recorded, in the server's order.
  private(set) var facts: [ObjectFact] = []
  /// The places of messages that were never seen whole before.
  private var received: Set<Int> = []
  private let account: UInt32
  private let asked: RecordNumber
  private let wantsReceipts: Bool
  private var known: [ObjectClass: [String]] = [:]

  /// Nothing yet, of an account's objects, in an answer that was asked for behind a record.
  init(of account: UInt32, askedAfter asked: RecordNumber, wantsReceipts: Bool) {
    (self.account, self.asked, self.wantsReceipts) = (account, asked, wantsReceipts)
  }

  /// That a message was received, for who wants to be told, if it is one of those.
  func receipt(of place: Int, _ key: () -> OperationKey) -> MessageDownloaded? {
    guard received.contains(place) else { return nil }
    let fact = facts[place]
    return MessageDownloaded {
      ($0.objectClass, $0.id) = (fact.objectClass, fact.fields.id ?? "")
      ($0.requestID, $0.key) = (fact.fields.text(.requestID), key())
    }
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
    for fact in part {
      guard let id = fact.fields.id, let kind = ObjectKind.of(fact.objectClass),
        fact.fields.change != .deleted,
        let first = snapshot.firstOperation(
          on: ObjectKey(id, kind, of: account), kind, asIn: fact.fields.digest)
      else {
        if isTracked, snapshot.isFirst(fact, of: account) { received.insert(facts.count) }
        facts.append(fact)
        continue
      }
      if snapshot.isAnyAcknowledged(from: first, by: asked) {
        known[fact.objectClass, default: []].append(id)
      }
    }
  }
}

extension StoreSnapshot {
  /// Whether it may be told what an account receives and looks at.
  fileprivate func mayTrack(_ account: UInt32) -> Bool {
    let privacy = value(of: Accounts.privacy, in: "\(account)", of: Accounts.collection)
    return privacy ?? PrivacyMode.none == PrivacyMode.none
  }

  /// Whether a fact is all of a rich message that was never seen whole.
  fileprivate func isFirst(_ fact: ObjectFact, of account: UInt32) -> Bool {
    guard fact.objectClass == .rich, fact.fields.change == .whole, let id = fact.fields.id else {
      return false
    }
    return value(of: InboxFields.known, in: "\(account)/\(id)", of: RichMessages.collection) != -1
  }

  /// The first operation on an object, if there is one; `nil` where the object is not known to be
  /// as in a digest.
  fileprivate func firstOperation(
    on key: ObjectKey, _ kind: ObjectKind, asIn digest: UInt64
  ) -> RowID?? {
    var first: RowID??
    lend(key.row, in: kind.collection) { row in
      guard row[InboxFields.digest]?.rawValue == digest else { return }
      first = .some(row[InboxFields.overlay]?.operation)
    }
    return first
  }

  /// Whether one of the operations on an object was acknowledged up to a record.
  fileprivate func isAnyAcknowledged(from first: RowID?, by last: RecordNumber) -> Bool {
    var (next, isAny) = (first, false)
    while let operation = next, !isAny {
      next = nil
      lend(operation, in: Operations.collection) { row in
        isAny = row[Operations.acknowledgement].map { UInt64($0) <= last.rawValue } ?? false
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
