import EventStore
import Synchronization
import Testing
import Tideline
import TidelineSync

/// Servers whose pages have fewer objects than requested, all of them or some.
@Suite(.timeLimit(.minutes(5))) struct ShortPageTests {
  private func fact(_ objectClass: ObjectClass, _ id: String) -> ObjectFact {
    ObjectFact(objectClass, ObjectFields { $0.put(.id, id) })
  }

  /// A mailbox that is listed page by page, and once more after its cursor became unknown.
  private struct Mailbox: Sendable {
    /// The number of messages.
    var count: Int
    /// The number of requested messages.
    var pageMax = 64
    /// The numbers of the messages that are gone when the mailbox is listed again.
    var gone: Set<Int> = []
    /// Returns how many messages a page may have, by the number of pages before it.
    var length: @Sendable (Int) -> Int

    var abilities: ServerAbilities {
      var abilities = ServerAbilities()
      abilities.streams = [
        ServerStream("deltas", [.message, .thread], by: .changes, pageMax: pageMax)
      ]
      return abilities
    }

    /// Returns a page of the messages that are there, at most that many.
    func page(_ offset: Int, atMost most: Int, isLater: Bool) -> (ids: [Int], isLast: Bool) {
      let rest = (0..<count).filter { !isLater || !gone.contains($0) }.dropFirst(offset)
      let page = Array(rest.prefix(most))
      return (page, page.count == rest.count)
    }
  }

  /// Lists a mailbox twice, with two threads of which the second has one; returns what is here
  /// afterwards, and how many pages of messages were requested the first time.
  private func list(
    _ mailbox: Mailbox
  ) async throws -> (messages: [Int], threads: Int, pages: Int) {
    let isLater = Atomic(false)
    let pages = Atomic(0)
    let server = PlayedServer(mailbox.abilities) { [fact] question throws(ServerFailure) in
      let isLater = isLater.load(ordering: .relaxed)
      switch question {
      case .cursor: return Answer { $0.cursor = isLater ? "c1" : "c0" }
      case .changes(_, "c0", _) where isLater: throw ServerFailure(.cursorUnknown)
      case .page(.message, let offset, let limit):
        let length = mailbox.length(pages.add(1, ordering: .relaxed).oldValue)
        let (ids, isLast) = mailbox.page(offset, atMost: min(length, limit), isLater: isLater)
        return Answer {
          ($0.facts, $0.isLast) = (ids.map { fact(.message, "m\($0)") }, isLast)
        }
      case .page:
        let ids = isLater ? ["t"] : ["t", "u"]
        return Answer { $0.facts = ids.map { fact(.thread, $0) } }
      default: return Answer()
      }
    }
    var asked = 0
    var messages: [Int] = []
    var threads = 0
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.refreshed()
      try await sync.caughtUp(with: try inbox.store.read { $0.position })
      #expect(try inbox.provider(Message.self).start.count == mailbox.count)
      #expect(try inbox.provider(MailThread.self).start.count == 2)
      asked = pages.load(ordering: .relaxed)
      isLater.store(true, ordering: .relaxed)
      try await sync.refreshed()
      messages = try (0..<mailbox.count).filter {
        try inbox.object(Message.self, "m\($0)") != nil
      }
      threads = try inbox.provider(MailThread.self).start.count ?? 0
      sync.stop()
    }
    return (messages, threads, asked)
  }

  /// The server never returns more than a few objects at a time, whatever is requested.
  @Test(arguments: [2, 3, 10, 40])
  func pagesThatAreAllShort_passOverAllButTheirOverlap(length: Int) async throws {
    let mailbox = Mailbox(count: 100, gone: [0, 1, 57, 99]) { _ in length }
    let (messages, threads, pages) = try await list(mailbox)
    #expect(messages == (0..<100).filter { !mailbox.gone.contains($0) })
    #expect(threads == 1)
    #expect(pages <= 100 / (length - max(length / 16, 1)) + 2)
  }

  /// What a long page had comes again in many short ones: that is no list that goes on forever.
  @Test func pagesThatBecomeShort_areReadToTheEnd() async throws {
    let mailbox = Mailbox(count: 700, pageMax: 640, gone: [5, 650]) { $0 == 0 ? 640 : 3 }
    let (messages, _, pages) = try await list(mailbox)
    #expect(messages == (0..<700).filter { !mailbox.gone.contains($0) })
    #expect(pages < 60)
  }

  @Test func pagesOfAllLengths_leaveNothingOut() async throws {
    let mailbox = Mailbox(count: 150, gone: [3, 149]) { $0 % 3 == 2 ? 50 : 2 + $0 % 7 }
    let (messages, _, _) = try await list(mailbox)
    #expect(messages == (0..<150).filter { !mailbox.gone.contains($0) })
  }

  /// An empty page is requested again from further up.
  @Test(arguments: [0, 1, 3])
  func emptyPage_isNotTheEnd(number: Int) async throws {
    let mailbox = Mailbox(count: 100, gone: [1, 98]) { $0 == number ? 0 : 20 }
    let (messages, threads, pages) = try await list(mailbox)
    #expect(messages == (0..<100).filter { !mailbox.gone.contains($0) })
    #expect(threads == 1 && pages < 20)
  }

  /// Single objects don't overlap, so nobody knows whether something is missing between them; that
  /// holds for their class only.
  @Test func pagesOfOneObject_bringAll_andRemoveNothing() async throws {
    let mailbox = Mailbox(count: 30, gone: [7]) { _ in 1 }
    let (messages, threads, pages) = try await list(mailbox)
    #expect(messages == Array(0..<30))
    #expect(threads == 1)
    #expect(pages < 30 + 40)
  }

  /// What the ended process listed, and what is read again above that, is no list that goes on
  /// forever.
  @Test func firstListing_goesOnInShortPages_behindTheEndOfAProcess() async throws {
    let isLater = Atomic(false)
    let mailbox = Mailbox(count: 600, pageMax: 512, gone: Set(0..<40)) { _ in 5 }
    let server = PlayedServer(mailbox.abilities) { [fact] question throws(ServerFailure) in
      guard case .page(.message, let offset, let limit) = question else {
        return Answer { if case .cursor = question { $0.cursor = "c0" } }
      }
      let isLater = isLater.load(ordering: .relaxed)
      if offset > 400, !isLater { throw ServerFailure(.lostAnswer) }
      let (ids, isLast) = mailbox.page(offset, atMost: min(5, limit), isLater: isLater)
      return Answer {
        ($0.facts, $0.isLast) = (ids.map { fact(.message, "m\($0)") }, isLast)
      }
    }
    try await TestDesk.withInbox { inbox, _ in
      let first = Sync(inbox, with: server)
      first.start()
      while try inbox.provider(Message.self).start.count ?? 0 < 400 { await Task.yield() }
      _ = try? await first.refreshed()
      first.stop()
      let count = server.asked.count
      isLater.store(true, ordering: .relaxed)
      let second = Sync(inbox, with: server)
      second.start()
      while second.status.upToDateAt == nil { _ = try? await second.refreshed() }
      try await second.caughtUp(with: try inbox.store.read { $0.position })
      second.stop()
      let offsets = server.asked.dropFirst(count).compactMap { question in
        if case .page(.message, let offset, _) = question { return offset }
        return nil as Int?
      }
      #expect((offsets.min() ?? 0) > 100, "\(offsets)")
      let lost = try (40..<600).filter { try inbox.object(Message.self, "m\($0)") == nil }
      #expect(lost == [])
    }
  }

  /// The server leaves out a part of its list after it has counted it, so that whole pages are
  /// empty.
  @Test func gapInAList_isPassedOver_andRemovesNothing() async throws {
    let stream = ServerStream("deltas", [.message], by: .changes, pageMax: 64)
    var abilities = ServerAbilities()
    abilities.streams = [stream]
    let server = PlayedServer(abilities) { [fact] question in
      Answer { answer in
        answer.cursor = "c0"
        guard case .page(_, let offset, let limit) = question else { return }
        let shown = (offset..<(offset + limit)).filter { $0 < 60 || 200..<300 ~= $0 }
        answer.facts = shown.map { fact(.message, "m\($0)") }
        answer.isLast = offset + limit >= 300
      }
    }
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.apply(Delivery { $0.add(Message(id: "other", account: inbox.account)) })
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.refreshed()
      #expect(try inbox.provider(Message.self).start.count == 161)
      #expect(server.asked.count < 150)
      sync.stop()
    }
  }
}
