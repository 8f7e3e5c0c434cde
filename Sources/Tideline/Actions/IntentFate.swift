import EventStore

/// The open operations of an intent, as of a record.
struct IntentStanding {
  /// How many operations are searched for a rejected one.
  static let rowsMax = 100

  /// The last record that is taken into account.
  let number: RecordNumber
  /// The number of open operations.
  let count: Int
  /// The first of them that is kept although it was rejected.
  let rejected: OpenOperation?

  init(of intent: RecordNumber, in snapshot: borrowing StoreSnapshot) throws {
    let list = ListName.operations(of: intent)
    number = snapshot.position.number
    count = try snapshot.count(of: list)
    rejected = try snapshot.rows(of: list, in: 0..<Self.rowsMax)
      .compactMap(OpenOperation.init).first { $0.state == .rejected }
  }
}

/// The attempts at a part of an intent.
private struct Attempts {
  private var count = 0
  /// Whether one is under way.
  private var isUnderWay = false
  /// Whether a server may have got one.
  var wasBegun = false

  mutating func begin() {
    count += 1
    (isUnderWay, wasBegun) = (true, true)
  }

  /// Notes the end of an attempt; if the only one was not sent, nothing has begun.
  mutating func end(isSent: Bool) {
    if isUnderWay, !isSent, count == 1 { wasBegun = false }
    isUnderWay = false
  }
}

/// The outcome of an intent, derived from the records after it.
struct IntentFate {
  private let intent: RecordNumber
  /// The number of operations opened.
  private let count: Int
  /// The last record that was processed.
  private(set) var last: RecordNumber
  /// The items that the server has done, or need not do because a later intent superseded them.
  private(set) var done: Set<String> = []
  private var isAllDone = false
  /// Whether any part of the intent is done.
  private var isAnyDone = false
  /// The attempts at the parts, by item.
  private var attempts: [String: Attempts] = [:]
  private var rejection: IntentError?
  private var isWithdrawn = false

  init(of intent: RecordNumber, count: Int) {
    (self.intent, self.count, last) = (intent, count, intent)
  }

  /// Whether any part of the intent has begun, or is done.
  var wasBegun: Bool { isAnyDone || attempts.values.contains(where: \.wasBegun) }

  /// Processes the records up to `end`, except those that can't be read or no longer exist; stops
  /// earlier at a record that doesn't exist yet, or if the task is cancelled.
  ///
  /// - Parameter areWritten: Whether to process only records in the log, and not those on their way
  ///   into it, which may be taken back.
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

  /// Processes the next record; returns whether there was one.
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
    let (kind, family) = (record.header.kind, record.header.kind.family)
    guard family == .outcome || kind == Withdraw.kind,
      let event = try? EventCatalog.event(of: record)
    else { return }
    switch event {
    case let event as OperationStarted where event.intent == intent:
      attempts[event.item ?? "", default: Attempts()].begin()
    case let event as OperationUncertain where event.intent == intent:
      attempts[event.item ?? "", default: Attempts()].wasBegun = true
    case let event as OperationDeferred where event.intent == intent:
      attempts[event.item ?? ""]?.end(isSent: event.reason != .notSent)
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
    isAnyDone = true
    settle(item)
  }

  private mutating func settle(_ item: String?) {
    if let item { done.insert(item) } else { isAllDone = true }
  }

  private mutating func reject(_ event: OperationRejected) {
    // An item that is done can't be rejected any more.
    guard !isAllDone, !done.contains(event.item ?? "") else { return }
    rejection = .rejected(
      id: event.item, OpenOperation.Reason(event.reason), answer: event.error)
  }

  /// Notes items that the server has done, whatever it has answered.
  mutating func note(done items: Set<String>) { done.formUnion(items) }

  /// Returns whether all is confirmed, given the standing at the last record.
  func isConfirmed(_ standing: IntentStanding) throws(IntentError) -> Bool {
    if let kept = standing.rejected, let reason = kept.reason {
      throw .rejected(id: kept.id, reason, answer: kept.answer)
    }
    // Only a draft can be retried after a rejection, and it is the only object of its intent.
    if let rejection, count > 1 { throw rejection }
    let isOver = standing.count == 0
    if isAllDone || done.count >= count { return isOver }
    guard isOver || standing.count + done.count < count else { return false }
    throw rejection ?? (isWithdrawn ? .withdrawn : .abandoned)
  }
}
