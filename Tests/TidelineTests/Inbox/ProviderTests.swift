import EventStore
import TestSupport
import Testing
import Tideline

/// A provider's current list, for a display that is recreated.
@Suite(.timeLimit(.minutes(5))) struct ProviderTests {
  @Test func current_isWhatWasTakenLast() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let provider = try inbox.rich.provider()
      #expect(provider.current.list.isEmpty && provider.current.count == 0)
      #expect(provider.current.position == provider.start.position)
      var changes = provider.changes.makeAsyncIterator()
      try await inbox.tell(rich: "a")
      #expect(provider.current.list.isEmpty)
      let first = try #require(await changes.next())
      try await inbox.tell(rich: "b")
      let current = provider.current
      #expect(current.list == first.list && current.list.map(\.id) == ["a"])
      #expect(current.count == 1 && current.position == first.set.to)
      var others = provider.changes.makeAsyncIterator()
      let next = try #require(await others.next())
      #expect(next.set.from == current.position)
      #expect(next.set.applying(to: current.list.rows) == next.list.rows)
      #expect(provider.start.list.isEmpty)
    }
  }

  /// Around the first rows, a screen may ask for some before them.
  @Test func window_beforeTheFirstRow_beginsThere() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(rich: "a", "b")
      let provider = try inbox.rich.provider(window: -20..<1)
      #expect(provider.start.list.count == 1)
      try provider.show(-5 ..< -1)
      #expect(try inbox.rich.provider(window: -5 ..< -1).start.list.isEmpty)
    }
  }

  /// A reader that is superseded, whether waiting or busy, takes nothing from the new reader.
  @Test(arguments: [true, false])
  func changes_areThoseOfWhoAskedLast(isWaiting: Bool) async throws {
    try await TestDesk.withInbox { inbox, _ in
      let provider = try inbox.rich.provider()
      let first = provider.changes
      let reading = Task {
        var iterator = first.makeAsyncIterator()
        return await iterator.next()
      }
      if isWaiting { await Task.yield() }
      var second = provider.changes.makeAsyncIterator()
      #expect(await reading.value == nil)
      try await inbox.tell(rich: "a")
      var again = first.makeAsyncIterator()
      #expect(await again.next() == nil)
      #expect(await second.next()?.list.map(\.id) == ["a"])
    }
  }

  /// Whichever of two readers receives a change, the second continues from the list that the first
  /// was left with.
  @Test func changes_goOnFromTheCurrentList() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let provider = try inbox.rich.provider()
      let writing = Task {
        for number in 0..<100 { try await inbox.tell(rich: "\(number)") }
        provider.end()
      }
      var isOver = false
      while !isOver {
        let changes = provider.changes
        var rows = provider.current.list.rows
        var iterator = changes.makeAsyncIterator()
        for _ in 0..<2 {
          guard let change = await iterator.next() else {
            isOver = true
            break
          }
          rows = change.set.applying(to: rows)
          #expect(rows == change.list.rows)
        }
        // This reader may take a change that nobody has looked at when the next reader begins.
        Task { for await _ in changes {} }
        await Task.yield()
      }
      try await writing.value
      #expect(provider.current.list.count == provider.current.count)
    }
  }
}
