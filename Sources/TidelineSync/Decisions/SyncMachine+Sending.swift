package import EventStore
import Tideline

/// Sending operations.
extension SyncMachine {
  /// Sends what may go and sets the next wake-up.
  mutating func send(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) throws {
    if session.mayBegin(at: now), let dueAt = refresh.nextAt(now), dueAt <= now {
      want(.timer, snapshot, now)
      beginRefresh(snapshot, now)
    }
    askNext(snapshot, now)
    guard session.maySend(at: now) else { return wake(nil, now) }
    try sendNext(snapshot, now)
  }

  /// Sends what may go beside a result that is not recorded yet; everything else follows once that
  /// is visible.
  mutating func sendAhead(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) throws {
    guard session.maySend(at: now), outbox.hasRoom(abilities) else { return }
    try sendNext(snapshot, now)
  }

  /// Sends what may go, once the decision about that is complete.
  mutating func sendNext(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) throws {
    let decision = try outbox.next(of: login, snapshot, abilities, at: now)
    guard let decision else { return }
    perform(decision, snapshot, now)
    wake(decision.wakeUp, now)
  }

  /// Sets the wake-up to a time or earlier.
  private mutating func wake(_ time: Timestamp?, _ now: Timestamp) {
    var wakeUps = [session.quietEnd(at: now), session.tokens.waitEnd(at: now), time]
    // Skip a refresh that can't begin now: another event will lead to it.
    if session.mayBegin(at: now), let next = refresh.nextAt(now), next > now {
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
    // These starts must be visible before the requests go; what a result says may become so later.
    if !decision.departures.isEmpty { actions.insert(.begin(decision.departures), at: 0) }
    for departure in decision.departures { reading.depart(departure.request) }
    sendWhatIsBegun(now)
  }

  /// Sends started requests whose turn has come; those that can't be sent any more count as not
  /// started.
  private mutating func sendWhatIsBegun(_ now: Timestamp) {
    if session.maySend(at: now) {
      actions += outbox.takeTurns(abilities).map { .send($0) }
    } else {
      outbox.recall().forEach { keepBack($0, isWanted: true, now) }
    }
  }

  /// The events of a request's result, made before it is handled.
  struct Prepared: Sendable {
    fileprivate let id: Int
    fileprivate let events: [any InboxEvent]
  }

  /// Does ahead what handling an event takes no snapshot for, so that fewer wait for the views.
  ///
  /// - Complexity: O(operations of the requests that ended)
  /// - Precondition: The records that the event needs are visible or lost.
  package mutating func prepare(_ event: SyncEvent, at now: Timestamp) {
    if needsRecords(for: event) { outbox.resultsAreVisible() }
    guard case .performed(let id, let result) = event, prepared?.id != id,
      let departure = outbox.departure(id)
    else { return }
    let outcomes = OutboxOutcomes(
      departure: departure, now: now, backoff: backoff, draw: draw())
    prepared = Prepared(id: id, events: outcomes.events(for: result))
  }

  /// Handles the result of a request.
  mutating func take(
    _ id: Int, _ result: Result<Settlement, ServerFailure>,
    _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) {
    prepare(.performed(id, result), at: now)
    guard let departure = outbox.arrived(id), let events = prepared.take()?.events else { return }
    var (delivery, exchange) = (Delivery(), Exchange { $0.request = .operation })
    delivery.askedAfter = .zero
    switch result {
    case .success(let settlement):
      if !settlement.isUnauthorized { noteAnswer() }
      // The answer to a resent request may be as old as its first attempt; the current state comes
      // otherwise.
      if !departure.wasSentBefore {
        for fact in settlement.facts { delivery.add(fact) }
      }
      delivery.refused = settlement.refused
      exchange.status = settlement.status
      note(settlement.outcomes, of: departure)
      for outcome in settlement.outcomes {
        if case .failed(let failure) = outcome { note(failure, now) }
      }
    case .failure(let failure):
      note(failure, now)
      // The message of the failure is recorded with the operations and goes with their objects.
      exchange.status = failure.status
      note(departure.request.parts.map { _ in .failed(failure) }, of: departure)
    }
    delivery.exchange = exchange
    // The next requests concern other objects and need not wait for this result.
    sendWhatIsBegun(now)
    takeIn(delivery, events, durability: departure.isRepeatable ? .relaxed : .full)
  }

  /// Notes the outcomes of the parts of a request.
  private mutating func note(_ outcomes: [PartOutcome], of departure: Departure) {
    askAgain(departure, outcomes)
    for (outcome, entries) in zip(outcomes, departure.parts) {
      switch outcome {
      case .failed(let failure) where failure.reason == .forbidden:
        if let first = entries.first { session.forbade(first.object, isFirst: first.attempts == 0) }
      case .done, .gone: session.allowed()
      case .failed, .unmentioned: break
      }
    }
  }

  /// Notes that a request was not sent because some of its operations may no longer be sent.
  ///
  /// The server was not contacted and did not fail.
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

  /// Queries objects that differ, or may differ, from what was assumed.
  ///
  /// The answer to a resent request may be the lost one, and others may have changed the object
  /// since.
  ///
  /// The question is asked after the outcome is recorded, since an answer to an earlier question
  /// says nothing about it.
  private mutating func askAgain(_ departure: Departure, _ outcomes: [PartOutcome]) {
    for (index, outcome) in outcomes.enumerated() where index < departure.parts.count {
      let part = departure.request.parts[index]
      for question in reading.take(outcome, of: part) { questions.add(question) }
      switch outcome {
      case .failed(let failure)
      where failure.reason == .conflict && !part.wanted.isMaking
        || failure.reason == .notFound && part.mayLackTag:
        questions.add(.object(part.objectClass, id: part.id))
      // No longer a draft: it was sent or deleted, and local knowledge of it must go.
      case _ where outcome.isNotFound && part.isSavingAgain:
        questions.add(.object(.message, id: part.id))
      case .done(let version, let newID)
      where part.wanted.isState && departure.wasSentBefore(index):
        // A draft may still exist here while its text is saved, though the server no longer has it.
        let isDraft = part.objectClass == .draft
        // Rich inboxes are queried as a whole.
        guard version == nil || newID != nil || isDraft, part.objectClass != .rich else { break }
        questions.addDone(.object(part.objectClass, id: newID ?? part.id))
      default: break
      }
    }
  }
}

extension ServerRequest.Part {
  /// Whether the part saves a draft that the server already has.
  fileprivate var isSavingAgain: Bool {
    if case .draft(_, isNew: false) = wanted { true } else { false }
  }
}

extension Settlement {
  /// Whether the server refused the token for a part: it has not accepted it then.
  fileprivate var isUnauthorized: Bool {
    outcomes.contains {
      if case .failed(let failure) = $0 { failure.reason == .unauthorized } else { false }
    }
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
  /// Whether the action makes an object, which the server knows by no id yet.
  fileprivate var isMaking: Bool {
    switch self {
    case .draft(_, let isNew), .tag(_, let isNew): isNew
    case .file: true
    default: false
    }
  }

  /// Whether the action sets a state that others may also change.
  fileprivate var isState: Bool {
    switch self {
    case .read, .tags, .tag, .draft: true
    default: false
    }
  }
}
