import EventStore
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// The questions that keep a stream up to date.
@Suite(.timeLimit(.minutes(5))) struct PullPlanTests {
  private func fact(_ objectClass: ObjectClass, _ id: String) -> ObjectFact {
    ObjectFact(objectClass, ObjectFields { $0.put(.id, id) })
  }

  /// Runs a mailbox until nothing is left to ask, and calls `check`.
  private func asked(
    _ answers: @escaping @Sendable (Question) throws(ServerFailure) -> Answer,
    _ check: (Inbox, [Question]) async throws -> Void
  ) async throws {
    try await TestDesk.withInbox { inbox, _ in
      let server = PlayedServer(.mail, onQuestion: answers)
      let (sync, notices) = (Sync(inbox, with: server), inbox.notices)
      sync.start()
      for await notice in notices where notice.endsRefresh { break }
      try await check(inbox, server.asked)
      sync.stop()
    }
  }

  @Test(.feature(28)) func cursorIsTaken_thenEverything_thenWhatChanged() async throws {
    try await asked { [fact] question in
      Answer { answer in
        switch question {
        case .cursor: answer.cursor = "c0"
        case .page(.thread, let offset, _): answer.facts = offset == 0 ? [fact(.thread, "t")] : []
        case .changes(_, "c0", _):
          (answer.facts, answer.cursor, answer.isLast) = ([fact(.thread, "u")], "c1", false)
        default: break
        }
      }
    } _: { inbox, asked in
      #expect(
        asked == [
          .cursor(stream: "deltas"), .page(.tag, offset: 0, limit: 16),
          .page(.message, offset: 0, limit: 16), .page(.thread, offset: 0, limit: 16),
          .changes(stream: "deltas", since: "c0", limit: 16),
          .changes(stream: "deltas", since: "c1", limit: 16),
        ])
      let known = try ["t", "u"].map { try inbox.object(MailThread.self, $0) }
      #expect(!known.contains(nil))
    }
  }

  /// Syncs with a server of messages until all is here; returns what was asked.
  private func askedUntilAllIsHere(
    _ count: Int, _ check: @escaping @Sendable (Int, Int) throws(ServerFailure) -> Void
  ) async throws -> [Question] {
    let server = PlayedServer(.mail) { [fact] question throws(ServerFailure) in
      guard case .page(.message, let offset, let limit) = question else {
        return Answer { if case .cursor = question { $0.cursor = "c0" } }
      }
      try check(offset, limit)
      return Answer { answer in
        answer.facts = (offset..<max(min(offset + limit, count), offset)).map {
          fact(.message, "m\($0)")
        }
        answer.isLast = offset + limit >= count
      }
    }
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      while sync.status.upToDateAt == nil { _ = try? await sync.refreshed() }
      let known = try inbox.provider(Message.self).start.count
      #expect(known == count)
      sync.stop()
    }
    return server.asked
  }

  /// A large mailbox arrives although the line breaks again and again.
  @Test(.feature(28)) func listing_goesOnWhereItFailed() async throws {
    let lost = Mutex<Set<Int>>([])
    let asked = try await askedUntilAllIsHere(150) { offset, _ throws(ServerFailure) in
      // Each page is lost the first time.
      if lost.withLock({ $0.insert(offset).inserted }) { throw ServerFailure(.lostAnswer) }
    }
    #expect(asked.count { $0 == .cursor(stream: "deltas") } == 1)
    let pages = asked.compactMap { question in
      if case .page(.message, let offset, _) = question { return offset }
      return nil as Int?
    }
    #expect(pages == pages.sorted() && pages.count == 2 * lost.withLock(\.count))
  }

  /// The first listing of a large mailbox goes on where it was, though the process ended, and even
  /// if objects moved up meanwhile, by however many.
  @Test(.feature(28), arguments: [0, 40, 330])
  func firstListing_goesOn_behindTheEndOfAProcess(removed: Int) async throws {
    let isLater = Atomic(false)
    let ids = (0..<400).map { "m\($0)" }
    let server = PlayedServer(.mail) { [fact] question throws(ServerFailure) in
      guard case .page(.message, let offset, let limit) = question else {
        return Answer { if case .cursor = question { $0.cursor = "c0" } }
      }
      let isLater = isLater.load(ordering: .relaxed)
      if offset > 250, !isLater { throw ServerFailure(.lostAnswer) }
      let list = isLater ? Array(ids[removed...]) : ids
      let page = list.dropFirst(offset).prefix(limit)
      return Answer { answer in
        answer.facts = page.map { fact(.message, $0) }
        answer.isLast = offset + limit >= list.count
      }
    }
    try await TestDesk.withInbox { inbox, _ in
      let first = Sync(inbox, with: server)
      first.start()
      while try inbox.provider(Message.self).start.count ?? 0 < 240 { await Task.yield() }
      _ = try? await first.refreshed()
      first.stop()
      let count = server.asked.count
      isLater.store(true, ordering: .relaxed)
      // Was told in another way.
      try await inbox.apply(Delivery { $0.add(Message(id: "m350", account: inbox.account)) })
      let offsets = try await offsets(after: count, of: server, in: inbox)
      let lost = try ids[removed...].filter { try inbox.object(Message.self, $0) == nil }
      #expect(lost == [])
      #expect(removed > 100 || (offsets.min() ?? 0) > 100, "\(offsets)")
      #expect(server.asked.count { $0 == .cursor(stream: "deltas") } == 1)
    }
  }

  /// Runs a synchronization until all is here; returns the offsets of the pages that it asked for.
  private func offsets(
    after count: Int, of server: PlayedServer, in inbox: Inbox
  ) async throws -> [Int] {
    let sync = Sync(inbox, with: server)
    sync.start()
    while sync.status.upToDateAt == nil { _ = try? await sync.refreshed() }
    try await sync.caughtUp(with: try inbox.store.read { $0.position })
    let left = try inbox.store.core.read { $0.cursor(of: "listing of deltas", in: 1) }
    #expect(left == nil)
    sync.stop()
    return server.asked.dropFirst(count).compactMap { question in
      if case .page(.message, let offset, _) = question { return offset }
      return nil
    }
  }

  /// If a listing can't go on where it was, it begins anew, whenever that is.
  @Test(.feature(28), arguments: [false, true])
  func firstListing_beginsAnew_whereItsPlaceIsRefused(endsProcess: Bool) async throws {
    let refusals = Atomic(0)
    let isLater = Atomic(false)
    let server = PlayedServer(.mail) { [fact] question throws(ServerFailure) in
      guard case .page(.message, let offset, let limit) = question else {
        return Answer { if case .cursor = question { $0.cursor = "c0" } }
      }
      if !isLater.load(ordering: .relaxed), offset > 130 {
        refusals.add(1, ordering: .relaxed)
        throw ServerFailure(.invalid, status: 416)
      }
      return Answer { answer in
        answer.facts = (offset..<max(offset, min(offset + limit, 60))).map {
          fact(.message, "m\($0)")
        }
        if !isLater.load(ordering: .relaxed) {
          answer.facts = (offset..<(offset + limit)).map { fact(.message, "m\($0)") }
        }
        answer.isLast = isLater.load(ordering: .relaxed) && offset + limit >= 60
      }
    }
    try await TestDesk.withInbox { inbox, _ in
      let first = Sync(inbox, with: server)
      first.start()
      while refusals.load(ordering: .relaxed) == 0 { await Task.yield() }
      try await first.status { !$0.isRefreshing }
      isLater.store(true, ordering: .relaxed)
      let count = server.asked.count
      if endsProcess { first.stop() }
      let sync = endsProcess ? Sync(inbox, with: server) : first
      sync.start()
      while sync.status.upToDateAt == nil { _ = try? await sync.refreshed() }
      let cursors = server.asked.dropFirst(count).filter { $0 == .cursor(stream: "deltas") }
      #expect(cursors.count == 1)
      sync.stop()
    }
  }

  /// What is too much at once comes in smaller pages.
  @Test(.feature(28)) func pageThatIsTooLarge_isAskedForInParts() async throws {
    let asked = try await askedUntilAllIsHere(20) { _, limit throws(ServerFailure) in
      if limit > 3 { throw ServerFailure(.tooLarge) }
    }
    #expect(asked.count { $0 == .cursor(stream: "deltas") } == 1)
  }

  /// Everything was deleted elsewhere, so long ago that the server no longer knows the cursor.
  @Test(.feature(24), .feature(27)) func emptyClass_isEmptied_afterARefusedCursor() async throws {
    let phase = Mutex(0)
    let server = PlayedServer(.mail) { [fact] question throws(ServerFailure) in
      let isOver = phase.withLock { $0 > 0 }
      switch question {
      case .cursor: return Answer { $0.cursor = isOver ? "c1" : "c0" }
      case .changes(_, "c0", _) where isOver: throw ServerFailure(.cursorUnknown)
      case .page(.message, let offset, let limit) where !isOver:
        return Answer { answer in
          answer.facts = (offset..<min(offset + limit, 60)).map { fact(.message, "m\($0)") }
          answer.isLast = offset + limit >= 60
        }
      default: return Answer()
      }
    }
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.refreshed()
      try await sync.caughtUp(with: try inbox.store.read { $0.position })
      #expect(try inbox.provider(Message.self).start.count == 60)
      phase.withLock { $0 = 1 }
      try await sync.refreshed()
      #expect(try inbox.provider(Message.self).start.count == 0)
      sync.stop()
    }
  }

  @Test(.feature(27), .rule(13)) func refusedCursor_isTakenAnewOnce() async throws {
    try await asked { question throws(ServerFailure) in
      switch question {
      case .cursor: return Answer { $0.cursor = "bad" }
      case .changes: throw ServerFailure(.cursorUnknown, status: 400)
      default: return Answer()
      }
    } _: { _, asked in
      #expect(asked.filter { $0 == .cursor(stream: "deltas") }.count == 2)
    }
  }

  /// For example where all changes are of objects that are gone by now.
  @Test(.rule(11)) func pageOfNothing_movesTheCursor() async throws {
    try await asked { question in
      Answer { answer in
        switch question {
        case .cursor: answer.cursor = "c0"
        case .changes(_, "c0", _): (answer.cursor, answer.isLast) = ("c1", false)
        case .changes(_, "c1", _): answer.cursor = "c2"
        default: break
        }
      }
    } _: { inbox, asked in
      #expect(asked.last == .changes(stream: "deltas", since: "c1", limit: 16))
      let cursor = try inbox.store.core.read { $0.cursor(of: "deltas", in: inbox.account) }
      #expect(cursor == "c2")
    }
  }

  /// A server whose cursors lead in a circle is asked again with the next refresh, and the objects
  /// it sent are kept.
  @Test(arguments: [["a"], ["a", "b"], ["a", "b", "c", "d", "b"], ["a", "b", "c", "c"]])
  func cursorsThatLeadInACircle_areNotFollowedForEver(cursors: [String]) async throws {
    // A repeated cursor leads where it led the first time, and the last cursor leads to the first.
    let next = Dictionary(
      zip(cursors, cursors.dropFirst() + [cursors[0]]), uniquingKeysWith: { first, _ in first })
    try await asked { [fact] question in
      Answer { answer in
        answer.cursor = "a"
        guard case .changes(_, let since, _) = question else { return }
        (answer.cursor, answer.isLast) = (next[since], false)
        answer.facts = [fact(.thread, "t\(since)")]
      }
    } _: { inbox, asked in
      let pages = asked.count { if case .changes = $0 { true } else { false } }
      #expect(pages < 3 * cursors.count + 2)
      let lost = try cursors.filter { try inbox.object(MailThread.self, "t\($0)") == nil }
      #expect(lost == [])
    }
  }

  /// All pages are the same, and full.
  @Test func listWhosePagesRepeat_isNotReadForEver_andRemovesNothing() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["other": ["inbox"]])
      let server = PlayedServer(.mail) { [fact] question in
        Answer { answer in
          answer.cursor = "c0"
          guard case .page(.thread, _, let limit) = question else { return }
          answer.facts = (0..<limit).map { fact(.thread, "t\($0)") }
          answer.isLast = false
        }
      }
      let (sync, notices) = (Sync(inbox, with: server), inbox.notices)
      sync.start()
      for await notice in notices where notice.endsRefresh { break }
      #expect(server.asked.count < 40)
      #expect(server.asked.last == .changes(stream: "deltas", since: "c0", limit: 16))
      let kept = try ["t0", "other"].map { try inbox.object(MailThread.self, $0) }
      #expect(!kept.contains(nil))
      sync.stop()
    }
  }

  /// The server's list shifts up during the reading: an object would be skipped, even where so few
  /// are left that the next page is empty.
  @Test(.rule(14), arguments: [40, 24])
  func listThatShifts_isReadAgainWhereItDoesNotJoin(count: Int) async throws {
    let ids = (0..<count).map { "t\($0)" }
    let isShifted = Atomic(false)
    try await asked { [fact] question in
      Answer { answer in
        answer.cursor = "c0"
        guard case .page(.thread, let offset, let limit) = question else { return }
        // Ten items of the first page are gone when the second is asked for.
        let list = isShifted.exchange(true, ordering: .relaxed) ? Array(ids[10...]) : ids
        let page = list.dropFirst(offset).prefix(limit)
        answer.facts = page.map { fact(.thread, $0) }
        answer.isLast = page.count < limit
      }
    } _: { inbox, _ in
      let lost = try ids.filter { try inbox.object(MailThread.self, $0) == nil }
      #expect(lost == [])
    }
  }
}

extension InboxNotice {
  /// Whether the notice ends a refresh.
  var endsRefresh: Bool {
    switch self {
    case .refreshCompleted, .refreshFailed: true
    default: false
    }
  }
}
