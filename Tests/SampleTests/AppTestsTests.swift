import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSimulator
import TidelineSync

/// The code on the page about the simulator: the tests of an app.
@Suite(.timeLimit(.minutes(5))) struct AppTestsTests {
  // TidelineSimulator.md begins
  /// A clock that stands still until a test moves it.
  final class TestClock: Sendable {
    private let seconds = Mutex(0.0)
    var now: Date { Date(timeIntervalSince1970: 1_750_000_000 + seconds.withLock { $0 }) }
    func advance(by seconds: Double) { self.seconds.withLock { $0 += seconds } }

    /// Options for a store that goes by this clock.
    var options: InboxStore.Options {
      var options = InboxStore.Options()
      options.now = { [self] in now }
      options.sleep = { [self] duration in
        let end = now + duration / .seconds(1)
        while now < end { try await Task.sleep(for: .milliseconds(1)) }
      }
      return options
    }
  }
  // TidelineSimulator.md ends

  @Test func app_isTestedWithoutAServer_andWithoutWaiting() async throws {
    let parent = try TemporaryFolder()
    let folder = parent.path
    // TidelineSimulator.md begins
    let clock = TestClock()
    let store = try await InboxStore.open(at: folder, options: clock.options)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let server = PlayedServer(.mail, holding: 20, seed: 7) { clock.now }
    let sync = Sync(inbox, with: server)
    sync.start()
    try await sync.caughtUp(with: store.read { $0.position })

    let threads = try inbox.provider(MailThread.self).start.list
    let thread = try #require(threads.first { !$0.isStarred })
    let receipt = try await inbox.perform(.star(thread), heldFor: .seconds(5))
    #expect(try !receipt.isSettled)
    clock.advance(by: 6)
    sync.note(.foreground(true))  // Whoever waits looks at the clock again.
    try await receipt.confirmed()

    server.fail(with: ServerFailure(.server, status: 503))
    await #expect(throws: ServerFailure.self) { try await sync.refreshed() }
    // TidelineSimulator.md ends
    #expect(try inbox.object(MailThread.self, thread.id)?.isStarred == true)
    sync.stop()
    await store.close()
  }
}
