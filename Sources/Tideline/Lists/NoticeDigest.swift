import EventStore

/// Derives notices from the records of one account, or of all.
struct NoticeDigest {
  /// The maximum number of ids in one notice.
  static let idsMax = 1_000

  private let store: InboxStore
  private let account: UInt32?
  private var notices: [InboxNotice] = []
  /// The ids of new objects of one exchange.
  private var news: [ObjectClass: [String]] = [:]
  private var exchange: RecordNumber?
  /// Whether an operation was unfinished when that was last looked up; `nil` if none is known to
  /// have been, although one may have been before the next record.
  private var isWaiting: Bool?

  init(of account: UInt32?, in store: InboxStore) {
    (self.store, self.account) = (store, account)
    noteWaiting()
  }

  /// Removes and returns the earliest notice.
  mutating func popFirst() -> InboxNotice? { notices.isEmpty ? nil : notices.removeFirst() }

  /// Processes a record whose effects the views already show.
  ///
  /// - Parameter isLast: Whether no further record exists yet.
  mutating func take(_ record: Record, isLast: Bool) {
    let family = record.header.kind.family
    // A `MessageDownloaded` record may stand between the facts of one response.
    let goesOn = family == .object || record.header.kind == MessageDownloaded.kind
    if record.header.exchange != exchange || !goesOn { tellNews() }
    exchange = record.header.exchange
    if let account, let login = record.header.login, login.account != account { return }
    switch family {
    case .object, .push: takeObject(record)
    case .exchange: takeRefresh(record)
    case .intent, .analytics: noteWaiting()
    case .outcome: takeOutcome(record)
    default: break
    }
    // An operation may also end with its object, or be withdrawn.
    if isLast, isWaiting == true { tellIfSynced() }
    if isLast || news.values.contains(where: { $0.count >= Self.idsMax }) { tellNews() }
  }

  private mutating func takeRefresh(_ record: Record) {
    guard record.header.login != nil, let event = try? EventCatalog.event(of: record) else {
      return
    }
    switch event {
    case is RefreshBegan: notices.append(.refreshBegan)
    case let ended as RefreshEnded: notices.append(InboxNotice(ended))
    case let throttled as RefreshThrottled:
      notices.append(.refreshThrottled(retryAfter: .milliseconds(throttled.retryAfter)))
    default: break
    }
  }

  private mutating func takeOutcome(_ record: Record) {
    if [OperationUncertain.kind, OperationRejected.kind].contains(record.header.kind) {
      tell(of: try? EventCatalog.event(of: record))
    }
    if isWaiting != false { tellIfSynced() }
  }

  /// Notes that an operation may have begun.
  private mutating func noteWaiting() {
    if isWaiting != true { isWaiting = store.isWaiting(account) == true ? true : nil }
  }

  private mutating func tellIfSynced() {
    guard store.isWaiting(account) == false else { return }
    isWaiting = false
    notices.append(.synced)
  }

  private mutating func tell(of outcome: (any InboxEvent)?) {
    switch outcome {
    case let outcome as OperationUncertain:
      let (objectClass, id) = object(of: outcome)
      notices.append(
        .uncertain(intent: outcome.intent, objectClass, id: id, answer: outcome.error))
    case let outcome as OperationRejected:
      let (objectClass, id) = object(of: outcome)
      let reason = OpenOperation.Reason(outcome.reason)
      notices.append(
        .rejected(intent: outcome.intent, objectClass, id: id, reason, answer: outcome.error))
    default: break
    }
  }

  /// Returns the class and the id of an outcome's object, as far as they are known.
  private func object(of outcome: some OperationEvent) -> (ObjectClass?, String?) {
    let record = try? store.core.log.record(outcome.intent)
    switch record.flatMap({ try? EventCatalog.event(of: $0) }) {
    case let all as MarkAll: return (all.objectClass, outcome.item)
    case let file as AddFile where ![nil, file.file.id].contains(outcome.item):
      return (.draft, outcome.item)
    case let event: return (event?.names.first?.objectClass, outcome.item ?? event?.entity?.id)
    }
  }

  private mutating func takeObject(_ record: Record) {
    let objectClass = ObjectClass(record.header.kind) ?? .rich
    guard [.message, .rich].contains(objectClass),
      let event = try? EventCatalog.event(of: record)
    else { return }
    if event is AlertOpened { noteWaiting() }
    if let push = event as? SilentPushArrived { tell(of: push) }
    let fields = (event as? ObjectFact)?.fields ?? (event as? AlertArrived)?.message
    guard let id = fields?.id, let account = record.header.login?.account ?? account,
      store.maker(of: id, objectClass, account) == record.number
    else { return }
    news[objectClass, default: []].append(id)
  }

  private mutating func tell(of push: SilentPushArrived) {
    let kinds = [PushKind.privacy, .silent]
    guard let kind = kinds.first(where: { $0.purpose == push.purpose }) else { return }
    let members = push.unknown.map { String(decoding: $0.bytes, as: UTF8.self) }
    notices.append(.silentPush(kind, members: members ?? "{}"))
  }

  /// Emits notices about the new objects collected so far.
  private mutating func tellNews() {
    if let ids = news[.message] { notices.append(.newMessages(ids: ids)) }
    if let ids = news[.rich] { notices.append(.newRichMessages(ids: ids)) }
    news = [:]
  }
}

extension InboxNotice {
  fileprivate init(_ ended: RefreshEnded) {
    switch ended.outcome {
    case .succeeded: self = .refreshCompleted
    case .failed: self = .refreshFailed(status: ended.status.map(Int.init), reason: ended.error)
    case .cancelled: self = .refreshCancelled
    }
  }
}

extension InboxStore {
  /// Whether any operation is neither done nor refused by the server; `nil` while the store can't
  /// be read.
  fileprivate func isWaiting(_ account: UInt32?) -> Bool? {
    try? core.read { snapshot in
      let accounts =
        try account.map { [$0] }
        ?? snapshot.rows(of: ListName(InboxViews.accounts), in: 0...).compactMap { UInt32($0.id) }
      return try accounts.contains {
        try snapshot.count(of: ListName(InboxViews.unsent, of: $0)) > 0
      }
    }
  }

  /// Returns the record that created an object, if the object exists and is not hidden.
  fileprivate func maker(
    of id: String, _ objectClass: ObjectClass, _ account: UInt32
  ) -> RecordNumber? {
    guard let kind = ObjectKind.of(objectClass) else { return nil }
    let (row, collection) = ("\(account)/\(id)", kind.collection)
    let making = try? core.read { snapshot in
      snapshot.value(of: InboxFields.hiding, in: row, of: collection) == nil
        ? snapshot.value(of: InboxFields.making, in: row, of: collection) : nil
    }
    return making?.record
  }
}
