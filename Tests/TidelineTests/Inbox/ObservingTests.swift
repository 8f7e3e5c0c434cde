import Foundation
import Observation
import TestSupport
import Testing
import Tideline

/// The thin observable layers for displays on the main actor.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ObservingTests {
  /// Returns once a value that `read` reads has changed.
  private func change(of read: () -> Void) async {
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    withObservationTracking(read) { continuation.finish() }
    for await _ in changes {}
    // Observation reports a change before the new value is set.
    await Task.yield()
  }

  @Test func list_isObserved() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let list = LiveList(try inbox.rich.provider(of: .unread))
      #expect(list.list.isEmpty && list.count == 0)
      try await inbox.tell(rich: "a", "b")
      while list.list.isEmpty { await change { _ = list.list } }
      #expect(list.list.map(\.id) == ["b", "a"] && list.count == 2)
    }
  }

  /// A recreated screen shows what another reader received before, and continues from there.
  @Test func list_beginsWithWhatWasTaken() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let provider = try inbox.rich.provider()
      var changes = provider.changes.makeAsyncIterator()
      try await inbox.tell(rich: "a")
      _ = await changes.next()
      try await inbox.tell(rich: "b")
      let diary = Diary()
      provider.tell(diary)
      await diary.wait(for: 2)
      #expect(diary.lines == ["changed 1", "altered 2"])
      var list = LiveList(provider)
      list = LiveList(provider)
      #expect(list.list.count == 2 && list.count == 2)
      try await inbox.tell(rich: "c")
      while list.list.count < 3 { await change { _ = list.list } }
      #expect(diary.lines.count == 2)
    }
  }

  /// A change that a released list doesn't show is left to the next reader.
  @Test func listThatIsLetGo_takesNothing() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let provider = try inbox.rich.provider()
      var list: LiveList? = LiveList(provider)
      try await inbox.tell(rich: "a")
      while list?.list.count != 1 { await change { _ = list?.list } }
      weak let old = list
      list = nil
      while old != nil { await Task.yield() }
      try await inbox.tell(rich: "b")
      #expect(provider.current.list.map(\.id) == ["a"])
      var changes = provider.changes.makeAsyncIterator()
      #expect(await changes.next()?.list.map(\.id) == ["a", "b"])
      provider.end()
    }
  }

  /// A recreated view also creates its state's initial value again, and keeps the first.
  @Test func listThatNobodyLooksAt_takesNothing() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let provider = try inbox.rich.provider()
      let list = LiveList(provider)
      try await inbox.tell(rich: "a")
      while list.list.isEmpty { await change { _ = list.list } }
      let others = [LiveList(provider), LiveList(provider)]
      try await inbox.tell(rich: "b")
      while list.list.count < 2 { await change { _ = list.list } }
      #expect(others[1].list.count == 2)
      provider.end()
    }
  }

  @Test(.feature(19, 20)) func object_isObserved() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let message = try LiveObject(RichMessage.self, "a", in: inbox)
      #expect(message.object == nil)
      try await inbox.tell(rich: "a", "b")
      while message.object == nil { await change { _ = message.object } }
      try await inbox.rich.markRead(["a"])
      while message.object?.isRead != true { await change { _ = message.object } }
    }
  }

  /// A delegate that writes down its calls.
  private final class Diary: ProviderDelegate {
    private(set) var lines: [String] = []
    private var reader: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    /// Returns once the given number of lines has been written.
    func wait(for count: Int) async {
      guard lines.count < count else { return }
      await withCheckedContinuation { reader = (count, $0) }
    }

    private func note(_ line: String) {
      lines.append(line)
      guard let reader, lines.count >= reader.count else { return }
      self.reader = nil
      reader.continuation.resume()
    }

    func provider(
      _ provider: Provider<RichMessage>, dataChanged list: ObjectList<RichMessage>
    ) { note("changed \(list.count)") }

    func provider(
      _ provider: Provider<RichMessage>, dataAltered change: ProviderChange<RichMessage>
    ) { note("altered \(change.list.count)") }

    func provider(_ provider: Provider<RichMessage>, dataFetchFailed notice: InboxNotice) {
      note("failed")
    }

    func providerDataFetchCompleted(_ provider: Provider<RichMessage>) { note("completed") }
  }

  /// An erasure rebuilds views, and what that does to a list is unknown.
  @Test(.feature(3)) func list_isReplaced_whereViewsAreMadeAnew_butNotByALogout() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let other = try await inbox.store.logIn("bob@example.com", policy: .inbox)
      let (provider, diary) = (try inbox.rich.provider(), Diary())
      provider.tell(diary)
      try await inbox.tell(rich: "a", "b")
      await diary.wait(for: 2)
      try await other.erase()
      await diary.wait(for: 3)
      try await inbox.logOut(pending: .drop)
      await diary.wait(for: 4)
      try await inbox.store.logIn("alice@example.com", policy: .inbox)
      await diary.wait(for: 5)
      try await inbox.erase()
      await diary.wait(for: 6)
      #expect(
        diary.lines == [
          "changed 0", "altered 2", "changed 2", "altered 0", "altered 2", "changed 0",
        ])
      provider.end()
    }
  }

  @Test(.feature(3, 8, 95)) func delegate_isToldOfFetches_behindTheirChanges() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let (provider, diary) = (try inbox.rich.provider(), Diary())
      provider.tell(diary)
      for number in 1...20 {
        try await inbox.record(RefreshBegan())
        try await inbox.tell(rich: "m\(number)")
        try await inbox.record(RefreshEnded())
        await diary.wait(for: 1 + 2 * number)
      }
      try await inbox.record(RefreshEnded { $0.outcome = .failed })
      await diary.wait(for: 42)
      let told = (1...20).flatMap { ["altered \($0)", "completed"] }
      #expect(diary.lines == ["changed 0"] + told + ["failed"])
      provider.end()
    }
  }
}
