import EventStore
import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// An intent and the record of its beginning share one flush.
@Suite(.timeLimit(.minutes(5))) struct SharedFlushTests {
  /// Runs a synchronized inbox whose log waits for an expected record until it comes, or is known
  /// not to come.
  private func withLoop(
    _ server: PlayedServer, _ body: (Inbox) async throws -> Void
  ) async throws {
    let desk = try TestDesk()
    var options = desk.options
    options.core.log.expectation = .seconds(3600)
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await inbox.tell(threads: ["a": ["inbox", "unread"]])
    let loop = Sync(inbox, with: server)
    loop.start()
    try await body(inbox)
    loop.stop()
    await store.close()
  }

  private func lastTransaction(of inbox: Inbox) throws -> UInt64 {
    try inbox.store.core.log.file.environment.lastTransaction
  }

  /// Each request gets a new version, so nothing is left to be reported.
  private static let version = Atomic<Int64>(5)

  private static func settled(_ request: ServerRequest) -> Settlement {
    let version = version.add(1, ordering: .relaxed).newValue
    return Settlement(request.parts.map { _ in .done(version: version) }, status: 200)
  }

  private static let turns = 40

  @Test func intentAndItsBeginning_areWrittenTogether() async throws {
    let requested = Mutex(UInt64(0))
    let asked = Mutex<Inbox?>(nil)
    let server = PlayedServer(
      .sink,
      onRequest: { request, _ throws(ServerFailure) in
        let transaction = asked.withLock { $0 }.flatMap { try? lastTransaction(of: $0) }
        requested.withLock { $0 = transaction ?? 0 }
        return Self.settled(request)
      })
    try await withLoop(server) { inbox in
      asked.withLock { $0 = inbox }
      var together = 0
      for turn in 0..<Self.turns {
        try await inbox.store.core.log.flush()
        let before = try lastTransaction(of: inbox)
        let thread = "a"
        let receipt = try await inbox.perform(
          turn % 2 == 0
            ? .markRead(MailThread.self, [thread]) : .markUnread(MailThread.self, [thread]))
        try await receipt.confirmed()
        together += requested.withLock { $0 } == before + 1 ? 1 : 0
      }
      // If the log is busy or this thread is held up, records go another way; how often depends on
      // the machine.
      #expect(together > 0)
    }
  }

  /// While a request on an object is in flight, no other operation on it begins.
  @Test func intentOfWhichNothingComesYet_isWrittenAlone() async throws {
    // Only the test decides when the server answers, and no thread is blocked meanwhile.
    let (written, isWritten) = AsyncStream.makeStream(of: Never.self)
    let server = PlayedServer(
      .sink, onRequest: { request, _ throws(ServerFailure) in Self.settled(request) },
      mayPerform: { for await _ in written {} })
    try await withLoop(server) { inbox in
      let first = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      while server.performed.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      let second = try await inbox.perform(.markUnread(MailThread.self, ["a"]))
      while try inbox.store.core.log.last < second.number {
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(server.performed.count == 1)
      isWritten.finish()
      try await first.confirmed()
      try await second.confirmed()
    }
  }
}
