import EventStore
import Synchronization
import Tideline

/// Performing the machine's decisions.
extension Sync {
  /// Performs an action and returns the receipt of what it recorded.
  ///
  /// A request is sent only once its start is durable.
  func perform(
    _ action: SyncAction, _ login: Login, after beginning: Receipt?
  ) async throws -> Receipt? {
    switch action {
    case .record(let events, let durability):
      return try inbox.record(events, for: login, durability: durability)
    case .take(let delivery, let events, let durability):
      return try await take(delivery, events, login, durability)
    case .begin(let departures):
      return try inbox.record(departures.flatMap(\.beginning), for: login, durability: .full)
    case .ask(let id): ask(id)
    case .send(let departure): send(departure, login, after: beginning)
    case .follow(let place, let stream, let cursor): follow(place, stream, since: cursor)
    case .unfollow(let place): unfollow(place)
    case .authorize: authorize()
    case .wake(let moment): sleep(until: moment)
    }
    return nil
  }

  /// Records what the server reported, and queries objects whose existence that leaves open.
  private func take(
    _ delivery: Delivery, _ events: [any InboxEvent], _ login: Login, _ durability: Durability
  ) async throws -> Receipt {
    let era = state.withLock { $0.era }
    let taken = try await inbox.take(
      delivery, with: events, for: login, durability: durability)
    for name in taken.doubtful {
      let question = Question.object(name.objectClass, id: name.id)
      feed.yield(.event(.looked(question), era: era))
    }
    return taken.receipt
  }

  private func ask(_ id: QuestionID) {
    var id = id
    // Include what was recorded just before, such as the start of the question.
    let last = try? inbox.store.core.read { snapshot in
      (number: snapshot.position.number, setbacks: snapshot.setbacks.count)
    }
    if let last { (id.askedAfter, id.setbacks) = (last.number, last.setbacks) }
    work { [id, inbox, server] pass in
      do throws(ServerFailure) {
        let answer = try await server.answer(inbox.filled(id), token: pass.token)
        return .event(.answered(id, .success(answer)))
      } catch {
        return .event(.answered(id, .failure(error)))
      }
    }
  }

  private func send(_ departure: Departure, _ login: Login, after receipt: Receipt?) {
    let (id, upload) = (departure.id, newID())
    work { [weak self, inbox, server] pass in
      self?.beginUpload(departure.request, upload)
      defer { self?.endUpload(upload) }
      do throws(ServerFailure) {
        // Only then does the log have the intent from which the key is derived.
        guard await receipt?.isKept == true else { throw ServerFailure(.notSent) }
        guard inbox.allows(departure, login) else { return .event(.keptBack(id)) }
        var request = try inbox.filled(departure)
        request.onProgress = { self?.noteUpload(upload, sent: $0, of: $1) }
        let settlement = try await server.perform(request, token: pass.token)
        return .event(.performed(id, .success(settlement)))
      } catch {
        return .event(.performed(id, .failure(error)))
      }
    }
  }

  /// Requests a token.
  ///
  /// Without a source the result is no token, which the server may accept.
  private func authorize() {
    work { [tokens] pass in
      guard let tokens else { return .token(nil) }
      let isFirst = pass.number == 0
      do {
        let token = try await tokens.token(replacing: isFirst ? nil : pass.token)
        return token == nil && !isFirst ? .event(.unauthorized) : .token(token)
      } catch {
        return .event(error.isOfDelayedToken ? .tokenDelayed : .unauthorized)
      }
    }
  }

  private func follow(_ place: Int, _ stream: String, since cursor: String) {
    let (turns, goOn) = AsyncStream<Void>.makeStream()
    let old = state.withLock { state -> SyncWork.Following? in
      guard !state.isOver else { return nil }
      let (pass, era) = (state.pass, state.era)
      let task = Task { [weak self, server, feed] in
        var turn = turns.makeAsyncIterator()
        for await result in server.follow(stream, since: cursor, token: pass.token) {
          self?.take(.followed(place, result), pass, era)
          // Further results wait in the server's buffer, which has a limit.
          guard await turn.next() != nil else { return }
        }
        guard !Task.isCancelled else { return }
        feed.yield(.event(.unfollowed(place), era: era))
      }
      let following = SyncWork.Following(task: task, goOn: goOn)
      return state.work.follows.updateValue(following, forKey: place)
    }
    old?.task.cancel()
  }

  /// Passes on what a stream reported; a refusal of a token that was replaced meanwhile counts as
  /// the stream's end.
  private func take(_ event: SyncEvent, _ pass: Pass, _ era: Int) {
    state.withLock { state in
      guard event.isRefusal, state.pass.number != pass.number,
        case .followed(let place, _) = event
      else { return _ = feed.yield(.event(event, era: era)) }
      feed.yield(.event(.unfollowed(place), era: era))
    }
  }

  private func unfollow(_ place: Int) {
    state.withLock { $0.work.follows.removeValue(forKey: place) }?.task.cancel()
  }

  /// Requests the next report of a stream, once the last one is recorded.
  func goOnFollowing(after event: SyncEvent) {
    guard case .followed(let place, _) = event else { return }
    state.withLock { $0.work.follows[place] }?.goOn.yield()
  }

  /// Sets the only wake-up time.
  private func sleep(until moment: Timestamp?) {
    let (store, era) = (inbox.store, state.withLock { $0.era })
    let sleep = moment.map { moment in
      let duration = Duration.milliseconds(max(moment.milliseconds(since: store.now), 0))
      let sleep = store.options.sleep
      return Task { [feed] in
        guard (try? await sleep(duration)) != nil else { return }
        feed.yield(.event(.due, era: era))
      }
    }
    keep(sleep)
  }

  /// Reports when records don't reach the log, and when later records do.
  func watch(_ receipt: Receipt) {
    work { [weak self] _ in
      var failure: StoreError?
      do throws(LogError) { try await receipt.durable() } catch { failure = .log(error) }
      let hadFailed = self?.state.withLock { state in
        defer { state.hasFailed = failure != nil }
        return state.hasFailed
      }
      return failure != nil || hadFailed == true ? .event(.stored(failure)) : nil
    }
  }
}

/// Work outside the loop.
extension Sync {
  /// The result of work outside the loop.
  private enum Finding {
    case event(SyncEvent)
    /// A token, or `nil` if the server needs none.
    case token(Token?)
  }

  /// Does work outside the loop and reports its result.
  ///
  /// It is repeated if a token was refused that was replaced meanwhile. The work does not retain
  /// this object, and ends when the object is released.
  private func work(_ body: @escaping @Sendable (Pass) async -> Finding?) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.lastID += 1
      let (id, era) = (state.lastID, state.era)
      state.work.tasks[id] = Task { [weak self] in
        while !Task.isCancelled, let pass = self?.state.withLock({ $0.pass }) {
          let finding = await body(pass)
          guard self?.take(finding, of: id, pass, era) == false else { return }
        }
      }
    }
  }

  /// Reports the result of work; returns false if the work must be repeated.
  ///
  /// All refusals for lack of a token are reported before the token itself.
  private func take(_ finding: Finding?, of id: Int, _ pass: Pass, _ era: Int) -> Bool {
    state.withLock { state in
      var event: SyncEvent?
      switch finding {
      case .event(let found):
        if found.isRefusal, state.pass.number != pass.number, !state.isOver { return false }
        event = found
      case .token(let token):
        state.pass = Pass(token: token, number: state.pass.number + 1)
        event = .authorized
      case nil: break
      }
      state.work.tasks[id] = nil
      if let event { feed.yield(.event(event, era: era)) }
      return true
    }
  }
}

extension Receipt {
  /// Whether the records are durable; waits until that is known and they are visible.
  fileprivate var isKept: Bool {
    get async {
      guard (try? await durable()) != nil else { return false }
      return (try? await visible()) != nil
    }
  }
}

extension Inbox {
  /// Returns whether a started request may be sent.
  ///
  /// One look at a thousand operations takes a third of a millisecond; in several steps, each would
  /// wait for a slice of what is being reduced meanwhile.
  fileprivate func allows(_ departure: Departure, _ login: Login) -> Bool {
    let isLong = departure.entries.count > OutboxSearch.stepMax
    let isAllowed = try? store.core.read(givingWay: isLong) {
      $0.allows(departure, of: login, at: store.now)
    }
    return isAllowed ?? false
  }
}
