import EventStore
import Tideline

/// What is sent.
extension SyncMachine {
  /// Sends what may go, and says when to look again.
  mutating func send(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) throws {
    if session.mayAsk(at: now), let dueAt = refresh.nextAt(now), dueAt <= now {
      want(.timer, snapshot, now)
    }
    askNext(snapshot, now)
    guard session.maySend(at: now) else { return wake(nil, now) }
    try sendNext(snapshot, now)
  }

  /// Sends what may go, once it is decided what that is.
  mutating func sendNext(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) throws {
    let decision = try outbox.next(of: login, snapshot, abilities, at: now)
    guard let decision else { return }
    perform(decision, snapshot, now)
    wake(decision.wakeUp, now)
  }

  /// Says when to look again: at a time, or before it.
  private mutating func wake(_ time: Timestamp?, _ now: Timestamp) {
    var wakeUps = [session.quietEnd(at: now), session.tokens.waitEnd(at: now), time]
    // A refresh that can't be now is not waited for: something else leads to it.
    if session.mayAsk(at: now), let next = refresh.nextAt(now), next > now {
      wakeUps.append(next)
    }
    actions.append(.wake(at: wakeUps.compactMap(\.self).min()))
  }

  private mutating func perform(
    _ decision: OutboxPlan.Decision, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    if !decision.events.isEmpty {
      actions.append(.record(decision.events, durability: .relaxed))
    }
    for entry in decision.doubts {
      let (intent, item) = (entry.name.intent, entry.name.item)
      let id = snapshot.serverID(of: item, .message, in: login.account)
      ask(.sent(messageID: "", id: id), for: .sent(intent: intent, item: item), snapshot, now)
    }
    if !decision.departures.isEmpty { actions.append(.begin(decision.departures)) }
    for departure in decision.departures { reading.depart(departure.request) }
    sendWhatIsBegun(now)
  }

  /// Sends what is begun and whose turn has come; what can't be sent any more is as if it were not
  /// begun.
  private mutating func sendWhatIsBegun(_ now: Timestamp) {
    if session.maySend(at: now) {
      actions += outbox.takeTurns(abilities).map { .send($0) }
    } else {
      outbox.recall().forEach { keepBack($0, isWanted: true, now) }
    }
  }

  /// Takes in what became of a request.
  mutating func take(
    _ id: Int, _ result: Result<Settlement, ServerFailure>,
    _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    guard let departure = outbox.arrived(id) else { return }
    let outcomes = OutboxOutcomes(
      departure: departure, now: now, backoff: backoff, draw: draw())
    var (delivery, exchange) = (Delivery(), Exchange { $0.request = .operation })
    delivery.askedAfter = .zero
    let events: [any InboxEvent]
    switch result {
    case .success(let settlement):
      noteAnswer()
      // What was sent before may be answered as it was then; what is so now is told elsewhere.
      if !departure.wasSentBefore {
        for fact in settlement.facts { delivery.add(fact) }
      }
      delivery.refused = settlement.refused
      exchange.status = settlement.status
      events = outcomes.events(for: settlement)
      note(settlement.outcomes, of: departure)
      for outcome in settlement.outcomes {
        if case .failed(let failure) = outcome { note(failure, now) }
      }
    case .failure(let failure):
      note(failure, now)
      // What was said of it is with what became of the operations, and goes with their objects.
      exchange.status = failure.status
      events = outcomes.events(for: failure)
      note(departure.request.parts.map { _ in .failed(failure) }, of: departure)
    }
    delivery.exchange = exchange
    // What goes next is on other objects, and needs not wait for what was said of this one.
    sendWhatIsBegun(now)
    takeIn(delivery, events, durability: departure.isRepeatable ? .relaxed : .full)
  }

  /// Notes what became of the parts of a request.
  private mutating func note(_ outcomes: [PartOutcome], of departure: Departure) {
    askAgain(departure, outcomes)
    for (outcome, entries) in zip(outcomes, departure.parts) {
      switch outcome {
      case .failed(let failure) where failure.reason == .forbidden:
        if let object = entries.first?.object { session.forbade(object) }
      case .done, .gone: session.allowed()
      case .failed, .unmentioned: break
      }
    }
  }

  /// Takes in that a request did not go, as not all that it is of is to go any more: nothing was
  /// asked of the server, and nothing is wrong with it.
  mutating func keptBack(_ id: Int, _ now: Timestamp) {
    guard let departure = outbox.arrived(id) else { return }
    keepBack(departure, isWanted: false, now)
    sendWhatIsBegun(now)
  }

  private mutating func keepBack(_ departure: Departure, isWanted: Bool, _ now: Timestamp) {
    let outcomes = OutboxOutcomes(
      departure: departure, now: now, backoff: backoff, draw: draw())
    askAgain(departure, departure.request.parts.map { _ in .failed(ServerFailure(.notSent)) })
    actions.append(.record(outcomes.eventsOfKeptBack(isWanted: isWanted), durability: .relaxed))
  }

  /// Has objects be seen as they are that are others than was thought, or that may be: the answer
  /// to what was sent again may be the one that was lost, and others have changed them since.
  ///
  /// They are asked for once it is recorded that it was done: an answer to a question that was
  /// asked before says nothing to that.
  private mutating func askAgain(_ departure: Departure, _ outcomes: [PartOutcome]) {
    for (index, outcome) in outcomes.enumerated() where index < departure.parts.count {
      let part = departure.request.parts[index]
      for question in reading.take(outcome, of: part) { questions.add(question) }
      switch outcome {
      case .failed(let failure)
      where failure.reason == .conflict || failure.reason == .notFound && part.mayLackTag:
        questions.add(.object(part.objectClass, id: part.id))
      // It is no draft any more: it was sent, or it is gone, and what was known of it must go.
      case _ where outcome.isNotFound && part.isSavingAgain:
        questions.add(.object(.message, id: part.id))
      case .done(let version, let newID)
      where part.wanted.isState && departure.wasSentBefore(index):
        // A draft may be kept here though the server has it no more, as its text is being saved.
        let isDraft = part.objectClass == .draft
        // Rich inboxes are asked for as a whole.
        guard version == nil || newID != nil || isDraft, part.objectClass != .rich else { break }
        questions.addDone(.object(part.objectClass, id: newID ?? part.id))
      default: break
      }
    }
  }
}

extension ServerRequest.Part {
  /// Whether a draft is to be saved that the server has.
  fileprivate var isSavingAgain: Bool {
    if case .draft(_, isNew: false) = wanted { true } else { false }
  }
}

extension PartOutcome {
  /// Whether the server does not have the object.
  fileprivate var isNotFound: Bool {
    switch self {
    case .gone: true
    case .failed(let failure): failure.reason == .notFound
    default: false
    }
  }
}

extension ServerRequest.Wanted {
  /// Whether it is how something is to be, which others may change as well.
  fileprivate var isState: Bool {
    switch self {
    case .read, .tags, .tag, .draft: true
    default: false
    }
  }
}
