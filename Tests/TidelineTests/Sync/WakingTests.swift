import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// An operation that may be sent after all is noticed at once, wherever it stands in the outbox.
@Suite(.timeLimit(.minutes(5))) struct WakingTests {
  /// Runs a synchronization with a held operation before all others.
  private func withHeld(
    _ server: PlayedServer, _ body: (Inbox, Sync) async throws -> Void
  ) async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"], "b": ["unread"], "c": ["unread"]])
      try await inbox.perform(.markRead(MailThread.self, ["a"]), heldFor: .seconds(600))
      let sync = Sync(inbox, with: server)
      sync.start()
      try await body(inbox, sync)
      sync.stop()
    }
  }

  @Test func holdThatEnds_isSeen_behindOthers() async throws {
    let server = PlayedServer(.sink)
    try await withHeld(server) { inbox, sync in
      let held = try await inbox.perform(.markRead(MailThread.self, ["b"]), heldFor: .seconds(600))
      try await sync.status { $0.pending == 2 }
      try await held.hold(for: .zero)
      while server.performed.isEmpty { await Task.yield() }
      #expect(server.performed.first?.parts.map(\.id) == ["b"])
    }
  }

  @Test(arguments: [true, false]) func retry_isSeen_behindOthers(ofOne: Bool) async throws {
    let server = PlayedServer(
      .sink,
      onRequest: { _, _ throws(ServerFailure) in throw ServerFailure(.forbidden, status: 403) })
    try await withHeld(server) { inbox, sync in
      try await inbox.perform(.markRead(MailThread.self, ["b"]))
      var operation: OpenOperation?
      try await sync.status { _ in
        operation = try inbox.openOperations().first { $0.state == .deferred }
        return operation != nil
      }
      let count = server.performed.count
      try await inbox.retry(ofOne ? operation : nil)
      while server.performed.count == count { await Task.yield() }
    }
  }

  /// The app's surroundings stay known whatever happens to the store.
  @Test func network_isKnown_behindASuspension() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let server = PlayedServer(.rich)
      let sync = Sync(inbox, with: server)
      sync.note(.network(false))
      sync.start()
      try await sync.status { $0.obstacle == .offline }
      await inbox.store.suspend()
      try await inbox.store.resume()
      #expect(await sync.refresh() == .waiting)
      #expect(server.asked.isEmpty)
      sync.note(.network(true))
      try await sync.status { $0.upToDateAt != nil }
      sync.stop()
    }
  }

  /// What is to be sent after a logout is sent although the store was suspended meanwhile, or the
  /// process ended.
  @Test(.feature(88), arguments: [false, true])
  func flush_goesOn_behindASuspension(endsProcess: Bool) async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"]])
      let server = PlayedServer(.mail)
      var sync = Sync(inbox, with: server)
      sync.note(.network(false))
      sync.start()
      try await sync.status { $0.obstacle == .offline }
      try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try await inbox.logOut(pending: .flush(within: .seconds(60)))
      await inbox.store.suspend()
      try await inbox.store.resume()
      if endsProcess {
        sync.stop()
        sync = Sync(inbox, with: server)
        sync.start()
      }
      sync.note(.network(true))
      while server.performed.isEmpty { await Task.yield() }
      #expect(server.asked.isEmpty)
      sync.stop()
    }
  }

  /// An app that logs out waits for what is left to be sent before it closes the store.
  @Test(arguments: [true, false])
  func flush_canBeAwaited_untilItsTimeIsOver(isOnline: Bool) async throws {
    try await TestDesk.withInbox { inbox, desk in
      try await inbox.tell(threads: ["a": ["unread"]])
      let server = PlayedServer(.mail)
      let sync = Sync(inbox, with: server)
      sync.note(.network(false))
      sync.start()
      try await sync.status { $0.obstacle == .offline }
      try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try await inbox.logOut(pending: .flush(within: .seconds(60)))
      let position = try inbox.store.read { $0.position }
      let waiting = Task { try await sync.caughtUp(with: position) }
      if isOnline {
        sync.note(.network(true))
        try await waiting.value
      } else {
        desk.advance(by: 61)
        try await inbox.store.clockWasSet()
        await #expect(throws: CancellationError.self) { try await waiting.value }
      }
      #expect(server.wanted == (isOnline ? [.read(true)] : []) && server.asked.isEmpty)
      sync.stop()
    }
  }

  /// A synchronization that was not ended serves no later login: its tokens are of an earlier one.
  @Test(.feature(88), .rule(20)) func laterLogin_isNotServed() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let (old, new) = (PlayedServer(.mail), PlayedServer(.mail))
      let forgotten = Sync(inbox, with: old)
      forgotten.start()
      try await forgotten.status { $0.upToDateAt != nil }
      try await inbox.logOut(pending: .hold)
      _ = try await inbox.store.logIn("alice@example.com", policy: .inbox)
      await inbox.store.suspend()
      let count = old.asked.count
      try await inbox.store.resume()
      forgotten.note(.push)
      for _ in 0..<50 where old.asked.count == count { try await Task.sleep(for: .milliseconds(1)) }
      let sync = Sync(inbox, with: new)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      #expect(old.asked.count == count)
      forgotten.stop()
      sync.stop()
    }
  }

  /// The first event after a suspension is handled like any other.
  @Test func question_isAsked_behindASuspension() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["unread"], "b": ["unread"]])
      let server = PlayedServer(.rich)
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      let position = try inbox.store.read { $0.position }
      try await sync.caughtUp(with: position)
      await inbox.store.suspend()
      try await inbox.store.resume()
      for id in ["a", "b"] {
        try sync.ask(for: MailThread.self, id)
        while !server.asked.contains(.object(.thread, id: id)) { await Task.yield() }
      }
      sync.stop()
    }
  }

  /// A suspended store can't be used, and nothing is refreshed later because of that.
  @Test func refreshByHand_isDisabled_whileTheStoreIsSuspended() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      let sync = Sync(inbox, with: PlayedServer(.rich))
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      await inbox.store.suspend()
      for _ in 0..<3 { #expect(await sync.refresh() == .disabled) }
      try await inbox.store.resume()
      let answer = await sync.refresh()
      #expect(answer == .started || answer == .joined)
      sync.stop()
    }
  }
}
