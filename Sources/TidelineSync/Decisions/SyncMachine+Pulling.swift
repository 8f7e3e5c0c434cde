package import EventStore
import Tideline

/// Asking the server.
extension SyncMachine {
  /// Stops reading streams; they start over from the log's cursors.
  mutating func endPulling() {
    for place in pulls.indices { pulls[place].stop() }
    questions.takeHeldOfStreams()
  }

  /// Asks a question as soon as that is allowed; under an ended login, only about the outcome of
  /// what was sent.
  mutating func ask(
    _ question: Question, for purpose: QuestionID.Purpose, _ snapshot: borrowing StoreSnapshot,
    _ now: Timestamp
  ) {
    guard purpose.isOfOperation || snapshot.isPresent(login) else { return }
    guard session.mayAsk(at: now) else {
      return questions.hold(QuestionPlan.Item(question: question, purpose: purpose))
    }
    let (position, setbacks) = (snapshot.position.number, snapshot.setbacks.count)
    actions.append(
      .ask(
        QuestionID(
          purpose: purpose, question: question, askedAfter: position, setbacks: setbacks)))
  }

  /// Asks waiting questions, as many as are allowed now.
  mutating func askNext(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) {
    guard session.mayAsk(at: now), snapshot.isPresent(login) else { return }
    for item in questions.next(atMost: abilities.requestsMax) {
      ask(item.question, for: item.purpose, snapshot, now)
    }
  }

  /// Asks about something in view; if nothing can be asked soon, with the next refresh.
  mutating func look(
    _ question: Question, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    if session.mayBeginSoon(at: now) {
      questions.look(question)
    } else {
      questions.addLater(question)
    }
  }

  /// Handles the result of a question.
  mutating func take(
    _ id: QuestionID, _ result: Result<Answer, ServerFailure>,
    _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) throws {
    let result = result.taken
    let isFresh = id.purpose == .object && questions.isFresh(id.question, until: result)
    if id.purpose == .object { questions.answered(id.question) }
    switch result {
    case .success(let answer):
      noteAnswer()
      take(answer, to: id, snapshot, now)
    case .failure(let failure):
      note(failure, now)
      if isFresh, failure.reason == .notFound { return questions.addLater(id.question) }
      take(failure, of: id, snapshot, now)
    }
  }

  private mutating func take(
    _ answer: Answer, to id: QuestionID, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    switch id.purpose {
    case .object:
      guard session.isAllowed else { return }
      takeIn(Delivery(answer, to: id.question, askedAfter: id.askedAfter))
      if let rest = id.question.rest(after: answer) { questions.look(rest) }
    case .sent(let intent, let item): found(answer, intent, item, id, snapshot, now)
    case .stream(let place):
      guard pulls[place].awaits(id.question) else { return }
      if let wait = answer.refreshAfter { refresh.pauseByServer = wait.milliseconds }
      let haul = pulls[place].take(answer, askedAfter: id.askedAfter)
      // Asking first lets the server answer while the page is recorded; a listing's next page does
      // not depend on that.
      let isAhead = haul.next?.isPage == true
      if !isAhead { takeIn(haul.delivery) }
      if let next = haul.next { ask(next, for: id.purpose, snapshot, now) }
      if isAhead { takeIn(haul.delivery) }
      endIfOver(nil, snapshot, now)
    }
  }

  private mutating func take(
    _ failure: ServerFailure, of id: QuestionID, _ snapshot: borrowing StoreSnapshot,
    _ now: Timestamp
  ) {
    switch id.purpose {
    case .object:
      if failure.reason == .notFound, let delivery = Delivery(goneFor: id) {
        takeIn(delivery)
        if let message = snapshot.sentDraft(of: id.question, in: login.account) {
          questions.add(message)
        }
      } else if failure.mayPass {
        questions.addLater(id.question)
      }
    case .sent(let intent, let item):
      let name = OutboxEntry.Name(intent: intent, item: item)
      if failure.reason == .notFound { return missed(name, snapshot, now) }
      outbox.unanswered(name, at: now, backoff, draw: draw())
    case .stream(let place):
      guard pulls[place].awaits(id.question) else { return }
      if failure.reason == .unauthorized, !session.tokens.isMissing {
        // A token expires now and then; the question is asked again with the next one.
        return questions.hold(QuestionPlan.Item(question: id.question, purpose: id.purpose))
      }
      switch pulls[place].fail(failure) {
      case .beginAnew(let events, let question):
        actions.append(.record(events, durability: .relaxed))
        ask(question, for: id.purpose, snapshot, now)
      case .stop(let events):
        if !events.isEmpty { actions.append(.record(events, durability: .relaxed)) }
        endIfOver(failure, snapshot, now)
      }
    }
  }

  /// Ends the reading of streams whose next question would have to wait for long.
  ///
  /// Nobody who waits for the refresh learns more until then, and a new one goes on from the log.
  mutating func endWaitingInVain(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) {
    guard !session.mayBeginSoon(at: now) else { return }
    let failure = ServerFailure(session.tokens.isMissing ? .unauthorized : .notSent)
    for item in questions.takeHeldOfStreams() {
      let id = QuestionID(purpose: item.purpose, question: item.question, askedAfter: .zero)
      take(failure, of: id, snapshot, now)
    }
  }

  /// Handles the result of a search for a message that may have been sent.
  private mutating func found(
    _ answer: Answer, _ intent: RecordNumber, _ item: String, _ id: QuestionID,
    _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    let name = OutboxEntry.Name(intent: intent, item: item)
    guard answer.facts.contains(where: { $0.objectClass == .message }) else {
      if answer.refused.isEmpty { return missed(name, snapshot, now) }
      // What was found can't be read.
      return outbox.unanswered(name, at: now, backoff, draw: draw())
    }
    outbox.resolved(name)
    let done = OperationAcknowledged { ($0.intent, $0.item) = (intent, item) }
    takeIn(
      Delivery(answer, to: id.question, askedAfter: id.askedAfter), [done], durability: .full)
  }

  /// Resends a message that was not found, once that is certain and unless the person has decided
  /// meanwhile.
  private mutating func missed(
    _ name: OutboxEntry.Name, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    guard snapshot.isUncertain(name, in: login.account), outbox.missed(name, at: now) else {
      return
    }
    let again = OperationDeferred {
      ($0.intent, $0.item) = (name.intent, name.item)
      ($0.reason, $0.until) = (.notSent, Timestamp(rawValue: 0))
    }
    actions.append(.record([again], durability: .relaxed))
  }
}

extension QuestionID.Purpose {
  /// Whether the purpose is to learn the outcome of an operation.
  fileprivate var isOfOperation: Bool {
    if case .sent = self { true } else { false }
  }
}

extension Question {
  /// Whether the question asks for a page of all objects, which does not depend on earlier ones.
  fileprivate var isPage: Bool {
    if case .page = self { true } else { false }
  }

  /// Returns the question for the rest of a list after a partial answer, if more exists.
  fileprivate func rest(after answer: Answer) -> Question? {
    guard case .list(let objectClass, let filters, let offset, let limit) = self else { return nil }
    let count = answer.places(of: objectClass)
    guard !answer.isLast, 0 < count, count < limit else { return nil }
    return .list(objectClass, by: filters, offset: offset + count, limit: limit - count)
  }
}

extension StoreSnapshot {
  /// Whether it is unknown if an operation was done.
  fileprivate func isUncertain(_ name: OutboxEntry.Name, in account: UInt32) -> Bool {
    let id = Operations.id(of: name.intent, on: name.item, account: account)
    return value(of: Operations.state, in: id, of: Operations.collection) == .uncertain
  }

  /// Returns the question about the message that a draft has become, if the question is about the
  /// draft and the message is known.
  fileprivate func sentDraft(of question: Question, in account: UInt32) -> Question? {
    guard case .object(.draft, let id) = question, isMessage(id, in: account) else { return nil }
    return .object(.message, id: id)
  }

  /// Returns the cursor of a stream, if there is one.
  package func cursor(of stream: String, in account: UInt32) -> String? {
    value(of: Cursors.cursor, in: "\(account)/\(stream)", of: Cursors.collection)
  }
}

extension Result<Answer, ServerFailure> {
  /// The same, with an unacceptable answer as a failure.
  var taken: Self {
    guard case .success(let answer) = self, let failure = answer.failure else { return self }
    return .failure(failure)
  }
}

extension ServerFailure {
  /// Whether the same question may succeed another time.
  var mayPass: Bool {
    switch reason {
    case .notSent, .lostAnswer, .throttled, .server, .unauthorized: true
    default: false
    }
  }
}
