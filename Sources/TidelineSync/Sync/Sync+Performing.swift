import EventStore
import Synchronization
import Tideline

/// What the machine decides, done.
extension Sync {
  /// Performs an action; returns the receipt of what it recorded.
  func perform(
    _ action: SyncAction, _ login: Login, behind receipt: Receipt?
  ) async throws -> Receipt? {
    switch action {
    case .record(let events, let durability):
      return try inbox.record(events, for: login, durability: durability)
    case .take(let delivery, let events, let durability):
      return try await take(delivery, events, login, durability)
    case .ask(let id): ask(id)
    case .send(let departure): send(departure, login, behind: receipt)
    case .follow(let place, let stream, let cursor): follow(place, stream, since: cursor)
    case .unfollow(let place): unfollow(place)
    case .authorize: work { await $0.authorize() }
    case .wake(let moment): sleep(until: moment)
    }
    return nil
  }

  /// Takes in what the server told, and has those objects be asked for of which it leaves open
  /// whether they are there.
  private func take(
    _ delivery: Delivery, _ events: [any InboxEvent], _ login: Login, _ durability: Durability
  ) async throws -> Receipt {
    let era = state.withLock { $0.era }
    let taken = try await inbox.take(
      delivery, with: events, for: login, durability: durability)
    for name in taken.doubtful {
      let question = Question.object(name.objectClass, id: name.id)
      feed.yield(Occurrence(event: .looked(question), era: era))
    }
    return taken.receipt
  }

  private func ask(_ id: QuestionID) {
    var id = id
    // With what was recorded just before, such as that it is asked.
    if let last = try? inbox.store.core.read({ $0.position.number }) { id.askedAfter = last }
    work { [id] sync in
      let question = sync.filled(id)
      let result = await sync.result { token throws(ServerFailure) in
        try await sync.server.answer(question, token: token)
      }
      return .answered(id, result)
    }
  }

  private func send(_ departure: Departure, _ login: Login, behind receipt: Receipt?) {
    let id = departure.id
    beginUpload(departure.request, id)
    work { sync in
      defer { sync.endUpload(id) }
      let result = await sync.result { token throws(ServerFailure) -> Settlement? in
        // The log has the intent, which the key is made of, only then.
        guard await receipt.isKept else { throw ServerFailure(.notSent) }
        guard sync.allows(departure, login) else { return nil }
        var request = try sync.filled(departure)
        request.onProgress = { [weak sync] in sync?.noteUpload(id, sent: $0, of: $1) }
        return try await sync.server.perform(request, token: token)
      }
      switch result {
      case .success(nil): return .keptBack(id)
      case .success(let settlement?): return .performed(id, .success(settlement))
      case .failure(let failure): return .performed(id, .failure(failure))
      }
    }
  }

  /// Whether a request may go that is begun.
  private func allows(_ departure: Departure, _ login: Login) -> Bool {
    let store = inbox.store
    return departure.steps.allSatisfy { operations in
      let isAllowed = try? store.core.readGivingWay {
        $0.allows(operations, of: login, at: store.now)
      }
      return isAllowed ?? false
    }
  }

  /// What comes of asking with the present token; a refusal of one that was replaced meanwhile says
  /// nothing, and is asked again.
  private func result<Value: Sendable>(
    _ body: (Token?) async throws(ServerFailure) -> Value
  ) async -> Result<Value, ServerFailure> {
    while true {
      let token = state.withLock { $0.token }
      do throws(ServerFailure) { return .success(try await body(token)) } catch {
        let isStale = state.withLock { $0.token != token && !$0.isOver }
        guard error.reason == .unauthorized, isStale else { return .failure(error) }
      }
    }
  }

  private func authorize() async -> SyncEvent? {
    await getToken(replacing: state.withLock { $0.token }) ? .authorized : nil
  }

  /// Gets a token; returns whether there is one.
  @discardableResult
  func getToken(replacing refused: Token?) async -> Bool {
    guard let tokens, let token = try? await tokens.token(replacing: refused) else { return false }
    state.withLock { $0.token = token }
    return true
  }

  private func follow(_ place: Int, _ stream: String, since cursor: String) {
    let (token, era) = state.withLock { ($0.token, $0.era) }
    let (turns, goOn) = AsyncStream<Void>.makeStream()
    let task = Task { [server, feed] in
      var turn = turns.makeAsyncIterator()
      for await result in server.follow(stream, since: cursor, token: token) {
        feed.yield(Occurrence(event: .followed(place, result), era: era))
        // What comes meanwhile waits where it comes in, which has a limit.
        guard await turn.next() != nil else { return }
      }
      guard !Task.isCancelled else { return }
      feed.yield(Occurrence(event: .unfollowed(place), era: era))
    }
    let following = Following(task: task, goOn: goOn)
    state.withLock { $0.follows.updateValue(following, forKey: place) }?.task.cancel()
  }

  private func unfollow(_ place: Int) {
    state.withLock { $0.follows.removeValue(forKey: place) }?.task.cancel()
  }

  /// Has the next be taken of what a stream tells, once what it told is taken in.
  func goOnFollowing(behind event: SyncEvent) {
    guard case .followed(let place, _) = event else { return }
    state.withLock { $0.follows[place] }?.goOn.yield()
  }

  /// Wakes up at a moment, and at no other.
  private func sleep(until moment: Timestamp?) {
    let (store, era) = (inbox.store, state.withLock { $0.era })
    let sleep = moment.map { moment in
      let duration = Duration.milliseconds(max(moment.rawValue - store.now.rawValue, 0))
      let sleep = store.options.sleep
      return Task { [feed] in
        guard (try? await sleep(duration)) != nil else { return }
        feed.yield(Occurrence(event: .due, era: era))
      }
    }
    let old = state.withLock { state in
      defer { state.sleep = sleep }
      return state.sleep
    }
    old?.cancel()
  }

  /// Has it be told where what was recorded does not get into the log, and what is recorded behind
  /// that does.
  func watch(_ receipt: Receipt) {
    work { sync in
      var failure: StoreError?
      do throws(LogError) { try await receipt.durable() } catch { failure = .log(error) }
      let hadFailed = sync.state.withLock { state in
        defer { state.hasFailed = failure != nil }
        return state.hasFailed
      }
      return failure != nil || hadFailed ? .stored(failure) : nil
    }
  }

  /// Does something beside the loop, and tells what came of it.
  private func work(_ body: @escaping @Sendable (Sync) async -> SyncEvent?) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.lastID += 1
      let (id, era) = (state.lastID, state.era)
      state.work[id] = Task { [weak self] in
        guard let self else { return }
        let event = await body(self)
        self.state.withLock { $0.work[id] = nil }
        if let event { self.feed.yield(Occurrence(event: event, era: era)) }
      }
    }
  }
}

extension Receipt? {
  /// Whether what was recorded is on the medium, once that is known and it is shown.
  fileprivate var isKept: Bool {
    get async {
      guard let receipt = self else { return true }
      guard (try? await receipt.durable()) != nil else { return false }
      return (try? await receipt.visible()) != nil
    }
  }
}
