package import EventStore
package import Tideline

/// What happened to an inbox, record by record: number 1 comes first.
package struct InboxHistory {
  /// A record to be: its header, and its event unless it is of an unknown kind.
  package struct Step {
    package var header: Event
    package var event: (any InboxEvent)?
  }

  package private(set) var steps: [Step] = []

  /// Nothing has happened.
  package init() {}

  /// The number of the last record.
  package var last: RecordNumber { RecordNumber(rawValue: UInt64(steps.count)) }

  package mutating func append(_ step: Step) { steps.append(step) }

  /// The same history in which some records, by their indices, say nothing, so that the numbers of
  /// the others stay what they are.
  func silencing(_ indices: some Sequence<Int>) -> InboxHistory {
    var history = self
    for index in indices { history.steps[index] = .silent(history.steps[index]) }
    return history
  }

  /// The history up to an index.
  func prefix(_ count: Int) -> InboxHistory {
    var history = InboxHistory()
    history.steps = Array(steps.prefix(count))
    return history
  }

  /// The indices of the records that say something.
  package var telling: [Int] { steps.indices.filter { steps[$0].event != nil } }

  /// The records that say something, one on each line.
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
  /// A record of a kind that nobody knows.
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

  /// When, under which login and with which answer it happened, and what it says.
  var line: String {
    let login = header.login.map { "\($0.account)/\($0.epoch)" } ?? "-"
    var links = ""
    if case .record(let number)? = header.exchange { links += " of #\(number)" }
    if case .record(let number)? = header.cause { links += " by #\(number)" }
    return "at \(header.recordedAt.rawValue) \(login)\(links): \(event?.line ?? "unknown")"
  }
}
