import EventStore

/// How much of an intent is open at a record.
struct IntentStanding {
  /// How many rejected operations are looked at.
  static let rowsMax = 100

  /// The last record that is in it.
  let number: RecordNumber
  /// How many operations are open.
  let count: Int
  /// The first of them that was rejected and is kept.
  let rejected: OpenOperation?

  init(of intent: RecordNumber, in snapshot: borrowing StoreSnapshot) throws {
    let list = ListName.operations(of: intent)
    number = snapshot.position.number
    count = try snapshot.count(of: list)
    rejected = try snapshot.rows(of: list, in: 0..<Self.rowsMax)
      .compactMap(OpenOperation.init).first { $0.state == .rejected }
  }
}

/// What becomes of an intent, as the records behind it tell.
struct IntentFate {
  private let intent: RecordNumber
  /// How many operations it opened.
  private let count: Int
  /// The last record that was taken in.
  private(set) var last: RecordNumber
  /// The items that the server has done, or that it need not do: with what was wanted since, it has
  /// them so.
  private(set) var done: Set<String> = []
  private var isAllDone = false
  /// Whether anything of it was begun, or done.
  private(set) var wasBegun = false
  private var rejection: IntentError?
  private var isWithdrawn = false

  init(of intent: RecordNumber, count: Int) {
    (self.intent, self.count, last) = (intent, count, intent)
  }

  /// Takes in the records up to one, but for those that can't be read, or are not there any more;
  /// fewer where others are not there yet, or the task is cancelled.
  ///
  /// - Parameter areWritten: Whether only what is in the log is taken in, and not what is on its
  ///   way into it, which may be taken back.
  /// - Throws: `StoreError`.
  mutating func take(
    through end: RecordNumber, of store: Store, areWritten: Bool = false
  ) throws(StoreError) {
    let log = try store.log
    do throws(LogError) {
      let end = areWritten ? min(end, try log.last) : end
      while last < end, !Task.isCancelled, try takeNext(of: log) {}
    } catch .closed {
      throw .closed(path: store.path)
    } catch {
      throw .log(error)
    }
  }

  /// Takes in the next record; says whether there was one.
  private mutating func takeNext(of log: Log) throws(LogError) -> Bool {
    do throws(LogError) {
      guard let record = try log.record(last.advanced(by: 1)) else { return false }
      take(record)
    } catch .damagedRecord {
      last = last.advanced(by: 1)
    } catch .compacted(let floor) {
      last = floor
    }
    return true
  }

  private mutating func take(_ record: Record) {
    last = record.number
    let (kind, family) = (record.header.kind, record.header.kind.rawValue >> 8)
    guard family == 5 || kind == Withdraw.kind, let event = try? EventCatalog.event(of: record)
    else { return }
    switch event {
    case let event as OperationStarted where event.intent == intent: wasBegun = true
    case let event as OperationUncertain where event.intent == intent: wasBegun = true
    case let event as OperationAcknowledged where event.intent == intent: acknowledge(event.item)
    case let event as OperationRejected where event.intent == intent: reject(event)
    case let event as OperationAbandoned
    where event.intent == intent && event.reason == .superseded:
      settle(event.item)
    case let event as Withdraw where event.intents.contains(intent): isWithdrawn = true
    default: break
    }
  }

  private mutating func acknowledge(_ item: String?) {
    wasBegun = true
    settle(item)
  }

  private mutating func settle(_ item: String?) {
    if let item { done.insert(item) } else { isAllDone = true }
  }

  private mutating func reject(_ event: OperationRejected) {
    // What was done can't be rejected any more.
    guard !isAllDone, !done.contains(event.item ?? "") else { return }
    rejection = .rejected(id: event.item, OpenOperation.Reason(event.reason))
  }

  /// Whether all is confirmed of what stands so at the last record.
  func isConfirmed(_ standing: IntentStanding) throws(IntentError) -> Bool {
    if let kept = standing.rejected, let reason = kept.reason {
      throw .rejected(id: kept.id, reason)
    }
    // Only a draft may be tried again when it was rejected, and is the only one of its intent.
    if let rejection, count > 1 { throw rejection }
    let isOver = standing.count == 0
    if isAllDone || done.count >= count { return isOver }
    guard isOver || standing.count + done.count < count else { return false }
    throw rejection ?? (isWithdrawn ? .withdrawn : .abandoned)
  }
}
