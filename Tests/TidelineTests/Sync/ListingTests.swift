import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// What an omission from a list means, and a server's request to be left alone.
@Suite(.timeLimit(.minutes(5))) struct ListingTests {
  private func answer(_ ids: [String], isComplete: Bool = true) -> Answer {
    Answer {
      $0.facts = ids.map { id in ObjectFact(.rich, ObjectFields { $0.put(.id, id) }) }
      $0.isComplete = isComplete
    }
  }

  /// Refreshes from a server that gives these answers, and calls `check` after each.
  private func refresh(
    _ answers: [Answer], _ check: (Inbox, Sync, TestDesk, Int) async throws -> Void
  ) async throws {
    let rest = Mutex(answers)
    let server = PlayedServer(.rich) { _ in
      rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first } ?? Answer()
    }
    try await TestDesk.withInbox(.engage) { inbox, desk in
      let (sync, notices) = (Sync(inbox, with: server), inbox.notices)
      sync.start()
      var (ended, count) = (notices.makeAsyncIterator(), 0)
      while count < answers.count, let notice = await ended.next() {
        guard notice.endsRefresh else { continue }
        try await check(inbox, sync, desk, count)
        count += 1
        if count < answers.count { _ = await sync.refresh() }
      }
      sync.stop()
    }
  }

  @Test(.feature(82)) func message_isGone_onlyWhereTheListIsComplete() async throws {
    let answers = [answer(["a", "b"]), answer(["a"], isComplete: false), answer(["a"])]
    try await refresh(answers) { inbox, _, _, count in
      let messages = try ["a", "b"].map { try inbox.object(RichMessage.self, $0) }
      #expect(messages[0] != nil && (messages[1] != nil) == (count < 2), "behind answer \(count)")
    }
  }

  @Test(.feature(74)) func serverThatWantsToBeLeftAlone_isNotAskedByHand() async throws {
    var first = answer(["a"])
    first.refreshAfter = .seconds(60)
    try await refresh([first]) { _, sync, desk, _ in
      #expect(await sync.refresh() == .started)
      while sync.status.isRefreshing { await Task.yield() }
      #expect(await sync.refresh() == .throttled(until: desk.now + 60))
      desk.advance(by: 60)
      #expect(await sync.refresh() == .started)
    }
  }

  /// The server prepares the next page while one is applied; but the log holds a stream's cursor
  /// before the stream is asked from there.
  @Test func nextPage_isAskedFor_beforeTheOneBeforeIsTakenIn() async throws {
    try await Bench.with(.mail) { bench in
      let cursor = try #require(try await bench.take(.began).asked.first)
      let listing = try await bench.take(.answered(cursor, .success(Answer { $0.cursor = "c" })))
      let page = Answer {
        $0.facts = ["x", "y"].map { id in ObjectFact(.thread, ObjectFields { $0.put(.id, id) }) }
        $0.isLast = false
      }
      let first = try #require(listing.asked.first)
      let middle = try await bench.take(.answered(first, .success(page)))
      #expect(middle.order == ["ask", "take"])
      var asked = try #require(middle.asked.first)
      var last: [SyncAction] = []
      while case .page = asked.question {
        last = try await bench.take(.answered(asked, .success(Answer())))
        asked = try #require(last.asked.first)
      }
      #expect(asked.question == .changes(stream: "deltas", since: "c", limit: 16))
      #expect(last.order == ["take", "ask"])
    }
  }
}

extension [SyncAction] {
  /// The order of applying and asking.
  fileprivate var order: [String] {
    compactMap { action in
      switch action {
      case .ask: "ask"
      case .take: "take"
      default: nil
      }
    }
  }
}
