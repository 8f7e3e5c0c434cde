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
  public var notices: Updates<InboxNotice> {
    Updates(Notices(inbox: self, first: store.lastNumber.advanced(by: 1)))
  }
}

/// The notices of an inbox from a record on.
struct Notices: AsyncSequence, Sendable {
  let inbox: Inbox
  let first: RecordNumber

  func makeAsyncIterator() -> Iterator { Iterator(inbox: inbox, first: first) }

  struct Iterator: AsyncIteratorProtocol {
    private var reader: ShownRecords
    private var digest: NoticeDigest

    init(inbox: Inbox, first: RecordNumber) {
      reader = ShownRecords(of: inbox.store, from: first)
      digest = NoticeDigest(of: inbox)
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
