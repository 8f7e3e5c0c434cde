import EventStore
import InboxHistories
import Testing
import Tideline

/// A short handwritten history of one account, and the state that it leads to.
struct InboxScene {
  private(set) var history = InboxHistory()
  /// The time of the next event.
  var now = Timestamp(rawValue: 1_700_000_000_000)
  private(set) var login = Login(account: 1, epoch: 0)

  /// Creates a history that begins with a login.
  init(_ policy: PolicySwitches) { logIn(policy) }

  /// The number of the last record.
  var last: RecordNumber { history.last }

  /// Appends an event at the current time, and returns its record number.
  @discardableResult
  mutating func add(_ event: some InboxEvent, of answer: RecordNumber? = nil) -> RecordNumber {
    history.append(InboxHistory.Step(event, at: now, login, exchange: answer))
    return history.last
  }

  /// Appends a step with the header that the step has.
  mutating func add(_ step: InboxHistory.Step) { history.append(step) }

  mutating func logIn(_ policy: PolicySwitches) {
    login.epoch += 1
    add(
      LoggedIn {
        $0.person = "alice"
        $0.policy = policy
      })
  }

  /// Lets time pass, and appends a tick of the clock.
  mutating func wait(_ milliseconds: Int64, _ reason: ClockReason = .due) {
    now = Timestamp(rawValue: now.rawValue + milliseconds)
    add(ClockTicked { $0.reason = reason })
  }

  /// Appends an answer that was requested after a record, by default after the last one.
  mutating func answer(sentAfter: RecordNumber? = nil) -> RecordNumber {
    let sentAfter = sentAfter ?? last
    return add(Exchange { $0.sentAfter = sentAfter })
  }

  /// Appends a fact about an object.
  @discardableResult
  mutating func tell(
    _ objectClass: ObjectClass, _ id: String, _ change: ObjectChange = .changed,
    of answer: RecordNumber? = nil, _ fill: (inout ObjectFields) -> Void = { _ in }
  ) -> RecordNumber {
    var fields = ObjectFields(fill)
    fields.put(.id, id)
    if change != .changed { fields.put(.change, change) }
    return add(ObjectFact(objectClass, fields), of: answer)
  }

  /// Appends an intent to mark objects as read, or as unread.
  @discardableResult
  mutating func read(
    _ objectClass: ObjectClass, _ ids: [String], _ isRead: Bool = true
  ) -> RecordNumber {
    add(MarkRead { ($0.objectClass, $0.ids, $0.isRead) = (objectClass, ids, isRead) })
  }

  /// Appends an intent to change a thread's tags.
  @discardableResult
  mutating func tag(_ id: String, adding: [String] = [], removing: [String] = []) -> RecordNumber {
    add(ChangeTags { ($0.ids, $0.added, $0.removed) = ([id], adding, removing) })
  }

  /// Appends the acknowledgement of an intent.
  @discardableResult
  mutating func acknowledge(_ intent: RecordNumber, version: Int64? = nil) -> RecordNumber {
    add(OperationAcknowledged { ($0.intent, $0.version) = (intent, version) })
  }

  mutating func reject(_ intent: RecordNumber) { add(OperationRejected { $0.intent = intent }) }

  /// The visible state according to the naive model.
  var picture: InboxPicture {
    var naive = NaiveInbox()
    for (index, step) in history.steps.enumerated() {
      naive.apply(RecordNumber(rawValue: UInt64(index + 1)), step.header, step.event)
    }
    return naive.picture
  }

  /// Checks the visible state, on which the naive model and the reducer must agree in full.
  func expect(
    sourceLocation: SourceLocation = #_sourceLocation, _ check: (InboxPicture) throws -> Void
  ) async throws {
    let expected = picture
    try check(expected)
    var reduced = try await ReducedInbox(history)
    let picture = try reduced.picture(at: last)
    await reduced.end()
    let differences = expected.differences(from: picture)
    #expect(differences.isEmpty, "\(differences)", sourceLocation: sourceLocation)
  }
}

extension InboxPicture {
  func rich(_ id: String) -> RichMessage? { rich["1/\(id)"] }
  func thread(_ id: String) -> MailThread? { threads["1/\(id)"] }
  func message(_ id: String) -> Message? { messages["1/\(id)"] }
  func draft(_ id: String) -> Draft? { drafts["1/\(id)"] }
  /// The states of all operations.
  var states: [String] { operations.map(\.state).sorted() }
}
