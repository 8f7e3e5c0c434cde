import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// A store and a server that are kept in sync.
@Suite(.timeLimit(.minutes(5))) struct SyncTests {
  private func withLoop(
    _ server: PlayedServer, tokens: (any TokenSource)? = nil,
    _ body: (Inbox, Sync, TestDesk) async throws -> Void
  ) async throws {
    try await TestDesk.withInbox { inbox, desk in
      try await inbox.tell(threads: ["a": ["inbox", "unread"], "b": ["inbox", "unread"]])
      let loop = Sync(inbox, with: server, tokens: tokens)
      loop.start()
      try await body(inbox, loop, desk)
      loop.stop()
    }
  }

  @Test(.feature(35), .feature(45), .defect(.iterable, 4)) func whatIsMarkedRead_isConfirmed()
    async throws
  {
    let server = PlayedServer(
      .sink,
      onRequest: { request, _ throws(ServerFailure) in
        Settlement(request.parts.map { _ in .done(version: 5) }, status: 200)
      })
    try await withLoop(server) { inbox, _, _ in
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try await receipt.confirmed()
      #expect(server.wanted == [.read(true)])
      let keys = server.performed.map(\.key)
      #expect(!keys.contains(OperationKey()))
    }
  }

  @Test(.feature(52), .rule(16), .defect(.mailspring, 1)) func whatIsRejected_isTakenBack()
    async throws
  {
    let server = PlayedServer(
      .sink,
      onRequest: { _, _ throws(ServerFailure) in
        throw ServerFailure(.refused, status: 400)
      })
    try await withLoop(server) { inbox, _, _ in
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      await #expect(throws: IntentError.rejected(id: "a", .refused, answer: nil)) {
        try await receipt.confirmed()
      }
      let thread = try inbox.object(MailThread.self, "a")
      #expect(thread?.isUnread == true)
    }
  }

  /// A refused token stops everything, and a new one lets it continue, with the same key.
  @Test(.feature(50), .feature(88), .defect(.inboxKit, 4))
  func refusedToken_isReplaced_andNothingIsLost() async throws {
    let server = PlayedServer(
      .sink,
      onRequest: { request, token throws(ServerFailure) in
        guard token == Token("new") else { throw ServerFailure(.unauthorized, status: 401) }
        return Settlement(request.parts.map { _ in .done(version: 5) })
      })
    try await withLoop(server, tokens: Keys()) { inbox, _, _ in
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try await receipt.confirmed()
      let keys = Set(server.performed.map(\.key))
      #expect(server.performed.count == 2)
      #expect(keys.count == 1)
    }
  }

  @Test(.feature(50), .feature(75), .defect(.inboxKit, 4), .defect(.ckSyncEngine, 2))
  func throttled_isTriedAgainWhenTheServerWants() async throws {
    let count = Atomic(0)
    let server = PlayedServer(
      .sink,
      onRequest: { request, _ throws(ServerFailure) in
        guard count.add(1, ordering: .relaxed).newValue > 1 else {
          throw ServerFailure(.throttled, status: 429, retryAfter: .seconds(30))
        }
        return Settlement(request.parts.map { _ in .done(version: 5) })
      })
    try await withLoop(server) { inbox, loop, desk in
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try await loop.status { if case .throttled? = $0.obstacle { true } else { false } }
      #expect(server.performed.count == 1)
      try await whileTimePasses(at: desk) { try await receipt.confirmed() }
      #expect(server.performed.count == 2)
    }
  }

  /// After any failure, time alone is enough: the request is repeated under one key, and not at
  /// once.
  @Test(.feature(50), arguments: [ServerFailure.Reason.notSent, .lostAnswer, .server])
  func whatFailed_isTriedAgain_byItself(_ reason: ServerFailure.Reason) async throws {
    let count = Atomic(0)
    let server = PlayedServer(
      .sink,
      onRequest: { request, _ throws(ServerFailure) in
        guard count.add(1, ordering: .relaxed).newValue > 3 else { throw ServerFailure(reason) }
        return Settlement(request.parts.map { _ in .done(version: 5) })
      })
    try await withLoop(server) { inbox, loop, desk in
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try await loop.status { if case .failing? = $0.obstacle { true } else { false } }
      #expect(server.performed.count == 1)
      try await whileTimePasses(at: desk) { try await receipt.confirmed() }
      #expect(server.performed.count == 4)
      let keys = Set(server.performed.map(\.idempotencyKey))
      #expect(keys.count == 1 && keys.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
  }

  /// A sleeper may begin to sleep only now, so one step of the clock might not wake it.
  private func whileTimePasses(at desk: TestDesk, _ body: () async throws -> Void) async throws {
    let passing = Task {
      while !Task.isCancelled {
        desk.advance(by: 20)
        try? await Task.sleep(for: .milliseconds(10))
      }
    }
    defer { passing.cancel() }
    try await body()
  }
}

/// A source of a first token, and of another for each refusal.
private struct Keys: TokenSource {
  func token(replacing refused: Token?) async throws -> Token? {
    Token(refused == nil ? "old" : "new")
  }
}
