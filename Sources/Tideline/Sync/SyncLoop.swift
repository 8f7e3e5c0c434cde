import EventStore
import Foundation
import Synchronization

/// Performs what the machine decides: one event after the other, each with what was recorded before
/// in sight.
package final class SyncLoop: Sendable {
  /// What it is made of.
  package struct Parts: Sendable {
    /// The inbox that is kept in step.
    package var inbox: Inbox
    /// Its server.
    package var server: any Server
    /// Gives a token, another than the one that was refused.
    package var token: @Sendable (_ refused: Token?) async throws -> Token?

    /// An inbox and its server, which wants no token.
    package init(_ inbox: Inbox, _ server: any Server) {
      (self.inbox, self.server) = (inbox, server)
      token = { _ in nil }
    }
  }

  private struct State {
    var token: Token?
    var sleep: Task<Void, Never>?
    var work: [Int: Task<Void, Never>] = [:]
    var lastWork = 0
    var isWoken = false
    var run: Task<Void, Never>?
  }

  private let parts: Parts
  private let state = Mutex(State())
  private let events: AsyncStream<SyncEvent>
  private let feed: AsyncStream<SyncEvent>.Continuation
  private let told: Tray<SyncStatus> = Tray { $1 }

  /// One that has not begun.
  package init(_ parts: Parts) {
    self.parts = parts
    (events, feed) = AsyncStream.makeStream()
  }

  deinit { stop() }

  /// How far the inbox is in step, each time that it is another; for one reader.
  package func nextStatus() async -> SyncStatus? { await told.take() }

  /// Begins.
  ///
  /// - Throws: ``IntentError/loggedOut``, `StoreError`.
  package func start(seed: UInt64) throws {
    let login = try parts.inbox.login()
    let machine = SyncMachine(login, parts.server.abilities, seed: seed)
    let view = try parts.inbox.store.core.live(
      InboxViews.unsent, group: Int64(login.account), window: 0..<1, countsExactly: true,
      holdsRows: false
    ) { [weak self] _ in self?.wake() }
    let run = Task { [weak self, events] in
      var machine = machine
      for await event in events {
        guard let self, !Task.isCancelled else { break }
        await self.perform(event, &machine)
      }
      view.end()
    }
    state.withLock { $0.run = run }
    feed.yield(.began)
  }

  /// Has something be known that happened.
  package func take(_ event: SyncEvent) { feed.yield(event) }

  /// Has the outbox be looked at, once for all that was recorded meanwhile.
  private func wake() {
    let isFirst = state.withLock { state in
      defer { state.isWoken = true }
      return !state.isWoken
    }
    if isFirst { feed.yield(.recorded) }
  }

  /// Ends everything that is under way; what the server did not answer to is asked anew the next
  /// time.
  package func stop() {
    feed.finish()
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.run?.cancel()
    old.sleep?.cancel()
    old.work.values.forEach { $0.cancel() }
    told.finish()
  }

  private func perform(_ event: SyncEvent, _ machine: inout SyncMachine) async {
    if case .recorded = event { state.withLock { $0.isWoken = false } }
    let (store, login) = (parts.inbox.store, machine.login)
    do {
      let (actions, status) = try store.core.read { snapshot in
        let actions = try machine.take(event, snapshot, at: store.now)
        return (actions, try machine.status(snapshot, at: store.now))
      }
      var receipt: Receipt?
      for action in actions { receipt = try perform(action, login, behind: receipt) ?? receipt }
      if let receipt {
        try await receipt.visible()
        wake()
      }
      told.put(status)
    } catch {
      // The store is suspended or closed, or can't be written: the log knows what is not done.
      feed.finish()
    }
  }

  /// Performs an action; returns the receipt of what it recorded.
  private func perform(
    _ action: SyncAction, _ login: Login, behind receipt: Receipt?
  ) throws -> Receipt? {
    switch action {
    case .record(let events, let durability):
      return try record(events, login, durability)
    case .take(let delivery, let events, let durability):
      return try take(delivery, events, login, durability)
    case .ask(let id): ask(id)
    case .send(let id, let request, let intent, let label):
      send(id, request, of: intent, label, behind: receipt)
    case .authorize: authorize()
    case .wake(let moment): sleep(until: moment)
    }
    return nil
  }
}

extension SyncLoop {
  private func record(
    _ events: [any InboxEvent], _ login: Login, _ durability: Durability
  ) throws -> Receipt {
    let store = parts.inbox.store
    var batch = Batch()
    for event in events { batch.add(event, recordedAt: store.now, login: login) }
    store.caretaker.note(batch.count, in: store)
    return try store.core.submitAndShow(batch, durability: durability)
  }

  private func take(
    _ delivery: Delivery, _ events: [any InboxEvent], _ login: Login, _ durability: Durability
  ) throws -> Receipt {
    let store = parts.inbox.store
    let (now, log) = (store.now, try store.core.log)
    let batch = try store.core.read { snapshot in
      try store.intake.withLock { intake in
        try intake.batch(
          of: delivery, for: login, at: now, snapshot, log.fingerprint, with: events)
      }
    }
    store.caretaker.note(batch.count, in: store)
    return try store.core.submit(batch, durability: durability)
  }

  private func ask(_ id: QuestionID) {
    work { [parts, feed] token in
      let result: Result<Answer, ServerFailure>
      do throws(ServerFailure) {
        result = .success(try await parts.server.answer(parts.filled(id), token: token))
      } catch { result = .failure(error) }
      feed.yield(.answered(id, result))
    }
  }

  private func send(
    _ id: Int, _ request: ServerRequest, of intent: RecordNumber, _ label: String,
    behind receipt: Receipt?
  ) {
    work { [parts, feed] token in
      let result: Result<Settlement, ServerFailure>
      do throws(ServerFailure) {
        let request = try parts.filled(request, of: intent, label)
        guard await receipt.isDurable else { throw ServerFailure(.notSent) }
        result = .success(try await parts.server.perform(request, token: token))
      } catch { result = .failure(error) }
      feed.yield(.performed(id, result))
    }
  }

  private func authorize() {
    work { [weak self, parts, feed] refused in
      guard let token = try? await parts.token(refused) else { return }
      self?.state.withLock { $0.token = token }
      feed.yield(.authorized)
    }
  }

  /// Wakes up at a moment, and at no other.
  private func sleep(until moment: Timestamp?) {
    let store = parts.inbox.store
    let sleep = moment.map { moment in
      let duration = Duration.milliseconds(max(moment.rawValue - store.now.rawValue, 0))
      let sleep = store.options.sleep
      return Task { [feed] in
        guard (try? await sleep(duration)) != nil else { return }
        feed.yield(.due)
      }
    }
    let old = state.withLock { state in
      defer { state.sleep = sleep }
      return state.sleep
    }
    old?.cancel()
  }

  /// Does something beside the loop, with the present token.
  private func work(_ body: @escaping @Sendable (Token?) async -> Void) {
    state.withLock { state in
      state.lastWork += 1
      let (id, token) = (state.lastWork, state.token)
      state.work[id] = Task { [weak self] in
        await body(token)
        self?.state.withLock { $0.work[id] = nil }
      }
    }
  }
}

extension Receipt? {
  /// Whether what was recorded is on the medium, once that is known.
  fileprivate var isDurable: Bool {
    get async {
      guard let receipt = self else { return true }
      return (try? await receipt.durable()) != nil
    }
  }
}
