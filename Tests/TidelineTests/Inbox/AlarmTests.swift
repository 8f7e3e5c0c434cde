import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline

/// What is due at a time happens then, however the system's sleep and clock behave.
@Suite(.timeLimit(.minutes(5))) struct AlarmTests {
  private func withMessage(
    _ desk: TestDesk, _ options: InboxStore.Options, _ body: (Inbox) async throws -> Void
  ) async throws {
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    var message = RichMessage(id: "r1", account: inbox.account)
    message.endDateUtc = desk.now.addingTimeInterval(100)
    try await inbox.apply(Delivery { $0.add(message) })
    #expect(try inbox.object(RichMessage.self, "r1")?.isActive == true)
    try await body(inbox)
    while try inbox.object(RichMessage.self, "r1")?.isActive == true {
      try await Task.sleep(for: .milliseconds(1))
    }
    await store.close()
  }

  @Test func sleepThatEndsEarly_isGoneOnWith() async throws {
    let desk = try TestDesk()
    var options = desk.options
    options.sleep = { _ in try await Task.sleep(for: .milliseconds(2)) }
    try await withMessage(desk, options) { _ in
      try await Task.sleep(for: .milliseconds(50))
      desk.advance(by: 101)
    }
  }

  /// A sleep of the system's ends when it was to, whatever the clock says by then.
  @Test(arguments: [-50.0, 50]) func clockThatIsSet_letsTheMomentCome(by seconds: Double)
    async throws
  {
    let desk = try TestDesk()
    let slept = Mutex(0.0)
    var options = desk.options
    options.sleep = { duration in
      let end = slept.withLock { $0 } + duration / .seconds(1)
      while slept.withLock({ $0 }) < end { try await Task.sleep(for: .milliseconds(1)) }
    }
    try await withMessage(desk, options) { inbox in
      desk.advance(by: seconds)
      try await inbox.store.clockWasSet()
      try await Task.sleep(for: .milliseconds(20))
      desk.advance(by: 101 - seconds)
      slept.withLock { $0 += 101 - seconds }
    }
  }
}
