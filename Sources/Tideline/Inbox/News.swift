import EventStore

/// What of a delivery is news.
struct News {
  /// What is to be recorded, in the server's order.
  private(set) var facts: [ObjectFact] = []
  private let account: UInt32
  private var known: [ObjectClass: [String]] = [:]

  /// Nothing yet, of an account's objects.
  init(of account: UInt32) { self.account = account }

  /// The objects on which something is open and of which nothing is new: to others it means
  /// nothing that nothing is.
  var unchanged: [ObjectNames] {
    known.sorted { $0.key.rawValue < $1.key.rawValue }.map { ObjectNames($0.key, $0.value) }
  }

  /// Looks at some more facts.
  ///
  /// - Complexity: O(log n) for each of them.
  mutating func add(_ part: ArraySlice<ObjectFact>, from snapshot: borrowing StoreSnapshot) {
    for fact in part {
      guard let id = fact.fields.id, let kind = ObjectKind.of(fact.objectClass),
        fact.fields.change != .deleted,
        let isOpen = snapshot.isOpen(
          ObjectKey(id, kind, of: account), kind, asIn: fact.fields.digest)
      else {
        facts.append(fact)
        continue
      }
      if isOpen { known[fact.objectClass, default: []].append(id) }
    }
  }
}

extension StoreSnapshot {
  /// Whether an object has a base beside what is visible of it; `nil` where it is not known to be
  /// as in a digest.
  fileprivate func isOpen(_ key: ObjectKey, _ kind: ObjectKind, asIn digest: UInt64) -> Bool? {
    var isOpen: Bool?
    lend(key.row, in: kind.collection) { row in
      guard row[InboxFields.digest]?.rawValue == digest else { return }
      isOpen = row[InboxFields.overlay]?.base != nil
    }
    return isOpen
  }
}

extension Array {
  /// The elements, so many at a time.
  func parts(of size: Int) -> some Sequence<ArraySlice<Element>> {
    stride(from: 0, to: count, by: size).lazy.map { self[$0..<Swift.min($0 + size, count)] }
  }
}
