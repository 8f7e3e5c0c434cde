import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Whoever follows a store goes on after an erasure, which closes the log for a while.
@Suite(.timeLimit(.minutes(5))) struct ErasureWakingTests {
  private static let alert = #"{"_sid":"SFMC","_mt":8,"_m":"m1","_r":"r1","aps":{"alert":"Hi"}}"#

  private static var push: PushPayload {
    get throws { try PushPayload(json: Array(alert.utf8)) }
  }

  /// What happens while the log is closed.
  private final class Meanwhile: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    func put(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

    var isOver: Bool { body.withLock { $0 == nil } }

    func happen() { body.withLock { $0.take() }?() }
  }

  /// Runs `body` with an inbox, and with what erases an object and lets something happen meanwhile.
  private func withInbox(
    _ body: (
      Inbox, TestDesk, _ erase: (@escaping @Sendable () -> Void) async throws -> Void
    ) async throws -> Void
  ) async throws {
    let (desk, meanwhile) = (try TestDesk(), Meanwhile())
    var options = desk.options
    options.core.progress = { _ in
      meanwhile.happen()
      return true
    }
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    try await inbox.tell(rich: "erased")
    try await body(inbox, desk) { happen in
      meanwhile.put {
        #expect(throws: StoreError.closed(path: store.core.path)) { try store.core.log }
        happen()
      }
      try await inbox.erase(RichMessage.self, "erased")
      #expect(meanwhile.isOver)
    }
    await store.close()
  }

  @Test func notices_goOn() async throws {
    try await withInbox { inbox, _, erase in
      let (notices, head) = (inbox.notices, try inbox.store.core.log.head)
      // Ends with the test, even if the test exceeds its time limit.
      async let waiting = {
        var iterator = notices.makeAsyncIterator()
        return await iterator.next()
      }()
      while head.waiterCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
      try await erase {}
      try await inbox.tell(rich: "a")
      #expect(await waiting == .newRichMessages(ids: ["a"]))
    }
  }

  @Test func notices_goOn_afterThePersonIsForgotten() async throws {
    try await withInbox { inbox, _, _ in
      let (notices, head) = (inbox.notices, try inbox.store.core.log.head)
      async let waiting = {
        var iterator = notices.makeAsyncIterator()
        return await iterator.next()
      }()
      while head.waiterCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
      try await inbox.setPrivacy(.forgotten)
      try await inbox.setPrivacy(.unrestricted)
      try await inbox.tell(rich: "a")
      #expect(await waiting == .newRichMessages(ids: ["a"]))
    }
  }

  @Test func pushes_areWatched() async throws {
    try await withInbox { inbox, _, erase in
      let (store, head) = (inbox.store, try inbox.store.core.log.head)
      async let waiting = {
        var watch = PushWatch(to: inbox, after: try store.core.log.last)
        return await watch.next()
      }()
      while head.waiterCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
      try await erase {}
      try await store.receive(Self.push, by: .marketingCloud)
      #expect(try await waiting == store.core.log.last)
    }
  }

  /// The arrival is noticed while nothing can be recorded.
  @Test func pushLeftMeanwhile_isShown() async throws {
    try await withInbox { inbox, desk, erase in
      let spool = try desk.spool
      try await erase {
        _ = try? spool.receive(Self.push, by: .marketingCloud, at: desk.now)
        Thread.sleep(forTimeInterval: 0.05)
      }
      while try inbox.object(RichMessage.self, "m1") == nil {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  @Test func confirmation_isWaitedFor() async throws {
    try await withInbox { inbox, _, erase in
      try await inbox.tell(rich: "a")
      try await inbox.rich.markRead(["a"])
      let operation = try #require(try inbox.openOperations().first)
      let receipt = IntentReceipt(of: operation.intent, in: inbox)
      let (closings, closed) = AsyncStream<Void>.makeStream()
      async let waiting: Void = {
        for await _ in closings { break }
        try await receipt.confirmed()
      }()
      try await erase {
        closed.yield()
        // Nothing shows that the task waits.
        Thread.sleep(forTimeInterval: 0.02)
      }
      try await inbox.record(OperationAcknowledged { $0.intent = receipt.number })
      try await waiting
    }
  }

  /// Synchronization has to decide about something while it can read nothing.
  @Test func synchronization_goesOn() async throws {
    try await withInbox { inbox, _, erase in
      let server = PlayedServer(.rich)
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.upToDateAt != nil && !$0.isRefreshing }
      try await erase {
        let isAnswered = DispatchSemaphore(value: 0)
        Task {
          #expect(await sync.refresh() == .disabled)
          isAnswered.signal()
        }
        isAnswered.wait()
      }
      try await inbox.store.receive(Self.push, by: .marketingCloud)
      while server.asked.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
      sync.stop()
    }
  }
}
