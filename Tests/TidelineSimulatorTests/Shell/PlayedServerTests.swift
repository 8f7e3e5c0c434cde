import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineSimulator
import TidelineSync

/// The server against which apps can run their own tests.
@Suite(.timeLimit(.minutes(5))) struct PlayedServerTests {
  private func with(
    _ kind: PlayedServer.Kind, _ policy: PolicySwitches,
    _ body: (Inbox, Sync, PlayedServer) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try await InboxStore.open(at: folder.path)
    let inbox = try await store.logIn("alice@example.com", policy: policy)
    let server = PlayedServer(kind, holding: 20, seed: 7)
    let sync = Sync(inbox, with: server)
    sync.start()
    try await settle(store, sync)
    try await body(inbox, sync, server)
    sync.stop()
    await store.close()
  }

  private func settle(_ store: InboxStore, _ sync: Sync) async throws {
    try await sync.caughtUp(with: store.core.read { $0.position })
  }

  @Test func mailbox_isTakenIn_andKeptUp() async throws {
    try await with(.mail, .inbox) { inbox, sync, server in
      let threads = try inbox.store.core.read {
        try $0.rows(of: ListName("threads by tag", by: "archive", of: inbox.account), in: 0...)
      }
      #expect(!threads.isEmpty)
      let thread = try #require(threads.first?.id.split(separator: "/").last.map(String.init))
      let reading = try await inbox.perform(.star(MailThread(id: thread, account: inbox.account)))
      try await reading.confirmed()
      for _ in 0..<20 { server.happen() }
      let last = try inbox.store.core.log.last
      _ = await sync.refresh()
      try await settle(inbox.store, sync)
      #expect(try inbox.store.core.log.last > last)
    }
  }

  @Test(arguments: [PlayedServer.Kind.marketingCloud, .engage])
  func richInbox_isTakenIn(kind: PlayedServer.Kind) async throws {
    try await with(kind, .engage) { inbox, _, server in
      let messages = try inbox.rich.contents().messages
      #expect(!messages.isEmpty && server.requestCount > 0)
      let reading = try await inbox.perform(.markRead(messages[0]))
      try await reading.confirmed()
    }
  }

  @Test func server_failsAsItIsTold() async throws {
    try await with(.mail, .inbox) { inbox, sync, server in
      server.fail(with: ServerFailure(.server, status: 503))
      let before = server.requestCount
      _ = await sync.refresh()
      try await sync.status { $0.obstacle != nil }
      #expect(server.requestCount > before)
    }
  }
}
