import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Several synchronizations of one inbox.
@Suite(.timeLimit(.minutes(5))) struct LeaseTests {
  /// One works, and the other waits until the first ends.
  @Test func second_waitsUntilTheFirstEnds() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let (first, other) = (Sync(inbox, with: PlayedServer(.rich)), PlayedServer(.rich))
      first.start()
      try await first.status { $0.upToDateAt != nil }
      let second = Sync(inbox, with: other)
      second.start()
      try await second.status { $0.obstacle == .elsewhere }
      #expect(await second.refresh() == .disabled)
      #expect(other.asked.isEmpty)
      first.stop()
      // What the first learned is in the store, so the second may say that before it asks.
      try await second.status { $0.upToDateAt != nil && !other.asked.isEmpty }
      #expect(second.status.obstacle == nil)
      second.stop()
    }
  }

  /// One that is stopped while it begins keeps nobody from synchronizing.
  @Test(arguments: 0..<20) func stoppedBeginning_leavesTheRightToOthers(turn: Int) async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let (first, second) = (
        Sync(inbox, with: PlayedServer(.rich)), Sync(inbox, with: PlayedServer(.rich))
      )
      first.start()
      for _ in 0..<turn { await Task.yield() }
      first.stop()
      second.start()
      try await second.status { $0.upToDateAt != nil }
      second.stop()
      withExtendedLifetime(first) {}
    }
  }

  /// The holder of the lease returns it with the store's files, and takes it again with them.
  @Test func suspendedStore_leavesTheRightToOthers() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let (login, store) = (Login(account: inbox.account, epoch: 1), inbox.store)
      let sync = Sync(inbox, with: PlayedServer(.rich))
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      #expect(try store.tryTakeLease(of: login) == nil)
      await store.suspend()
      let lease = try #require(try store.tryTakeLease(of: login))
      try await store.resume()
      _ = await sync.refresh()
      try await sync.status { $0.obstacle == .elsewhere }
      lease.release()
      try await sync.status { $0.obstacle == nil }
      sync.stop()
    }
  }
}
