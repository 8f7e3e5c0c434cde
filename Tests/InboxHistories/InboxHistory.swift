package import EventStore
package import Tideline

/// The history of an inbox, record by record: number 1 comes first.
package struct InboxHistory {
  /// A future record: its header, and its event unless its kind is unknown.
  package struct Step {
    package var header: Event
    package var event: (any InboxEvent)?
  }

  package private(set) var steps: [Step] = []

  /// An empty history.
  package init() {}

  /// The number of the last record.
  package var last: RecordNumber { RecordNumber(rawValue: UInt64(steps.count)) }

  package mutating func append(_ step: Step) { steps.append(step) }

  /// Returns the same history with some records silenced, by their indices, so that the others keep
  /// their numbers.
  func silencing(_ indices: some Sequence<Int>) -> InboxHistory {
    var history = self
    for index in indices { history.steps[index] = .silent(history.steps[index]) }
    return history
  }

  /// Returns the history up to an index.
  func prefix(_ count: Int) -> InboxHistory {
    var history = InboxHistory()
    history.steps = Array(steps.prefix(count))
    return history
  }

  /// The indices of the records with events.
  package var telling: [Int] { steps.indices.filter { steps[$0].event != nil } }

  /// The records with events, one on each line.
  package var lines: [String] {
    telling.map { "#\($0 + 1) \(steps[$0].line)" }
  }

  /// All records as one batch.
  package var batch: Batch {
    var batch = Batch()
    for step in steps {
      batch.add(step.header) { step.event?.encode(into: &$0) }
    }
    return batch
  }
}

extension InboxHistory.Step {
  /// A kind that nobody knows.
  static let unknownKind = EventKind(rawValue: 0x0FFF)

  static func silent(_ step: Self) -> Self {
    let header = Event(kind: unknownKind, recordedAt: step.header.recordedAt)
    return Self(header: header, event: nil)
  }

  package init(
    _ event: some InboxEvent, at time: Timestamp, _ login: Login?, exchange: RecordNumber? = nil,
    cause: RecordNumber? = nil
  ) {
    header = Event(
      event, recordedAt: time, login: login, cause: cause.map { .record($0) },
      exchange: exchange.map { .record($0) })
    self.event = event
  }

  /// The record's time, login and answer, and its event.
  var line: String {
    let login = header.login.map { "\($0.account)/\($0.epoch)" } ?? "-"
    var links = ""
    if case .record(let number)? = header.exchange { links += " of #\(number)" }
    if case .record(let number)? = header.cause { links += " by #\(number)" }
    return "at \(header.recordedAt.rawValue) \(login)\(links): \(event?.line ?? "unknown")"
  }
}
