import EventStore

extension Inbox {
  /// The events from now on that no list shows, in log order.
  ///
  /// A notice arrives once lists show its event: every provider opened earlier has delivered all
  /// changes up to it, or has them ready. Notices are read from the log on demand, so a slow
  /// consumer costs no memory and misses nothing but records that are damaged or were compacted
  /// meanwhile. While the store is suspended, the sequence waits. It ends when the store is closed
  /// or the task is cancelled.
  ///
  /// - Complexity: O(records that were appended, of any account)
  public var notices: Updates<InboxNotice> { store.notices(of: account) }

  /// The same events since the store was opened, including what opening it recorded, such as pushes
  /// that an extension left.
  ///
  /// Each sequence begins there, so an app consumes only one, from its launch on.
  ///
  /// - Complexity: O(records since the store was opened, of any account)
  public var noticesSinceOpening: Updates<InboxNotice> {
    Updates(Notices(store: store, account: account, first: store.lastBefore.advanced(by: 1)))
  }
}

extension InboxStore {
  /// Returns the notices of one account, or of all.
  func notices(of account: UInt32?) -> Updates<InboxNotice> {
    Updates(Notices(store: self, account: account, first: lastNumber.advanced(by: 1)))
  }
}

/// The notices of one account, or of all, starting at a record.
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
