import EventStore

extension Inbox {
  /// What happens from now on and no list shows, in the order of the log.
  ///
  /// It is told when lists show it: whoever takes a notice finds all changes up to it in providers
  /// that were opened before, taken or waiting there. It is read from the log as it is taken, so
  /// nothing is held for who is slow, and nothing lost; suspended, it goes on when the store
  /// resumes. It ends when the store is closed or the task cancelled.
  ///
  /// - Complexity: O(records that were appended, of any account)
  public var notices: Updates<InboxNotice> { store.notices(of: account) }
}

extension InboxStore {
  /// The notices of an account, or of all.
  func notices(of account: UInt32?) -> Updates<InboxNotice> {
    Updates(Notices(store: self, account: account, first: lastNumber.advanced(by: 1)))
  }
}

/// The notices of an account, or of all, from a record on.
struct Notices: AsyncSequence, Sendable {
  let store: InboxStore
  let account: UInt32?
  let first: RecordNumber

  func makeAsyncIterator() -> Iterator { Iterator(store, account, first) }

  struct Iterator: AsyncIteratorProtocol {
    private var reader: ShownRecords
    private var digest: NoticeDigest

    init(_ store: InboxStore, _ account: UInt32?, _ first: RecordNumber) {
      reader = ShownRecords(of: store, from: first)
      digest = NoticeDigest(of: account, in: store)
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> InboxNotice? {
      while true {
        if let notice = digest.popFirst() { return notice }
        guard let record = await reader.next() else { return nil }
        digest.take(record, isLast: reader.isAtEnd)
      }
    }
  }
}
