import Testing
import Tideline
import TidelineSimulator
import TidelineSync

@Suite struct MailServerTests {
  @Test func token_another() {
    var desk = Desk()
    desk.token = Token("other")
    #expect(throws: ServerFailure.self) { try desk.cursor() }
    #expect(throws: ServerFailure.self) { try desk.perform(.thread, "t1", .read(true)) }
  }

  @Test func forbidden_mayLookOnly() throws {
    let desk = Desk()
    let (thread, _) = desk.mail()
    desk.server.isForbidden = true
    #expect(try desk.ask(.page(.thread, offset: 0, limit: 10)).facts.count == 1)
    #expect(failure { try desk.perform(.thread, thread, .read(true)) } == .forbidden)
  }

  @Test func changes_collapsed_tellThePresent() throws {
    let desk = Desk()
    let start = try desk.cursor()
    let (thread, messages) = desk.mail(2)
    _ = try desk.perform(.message, messages[0], .read(true))
    let facts = try desk.changes(since: start).facts
    #expect(
      facts.map(\.short) == [
        "created thread \(thread)", "created message \(messages[0])",
        "created message \(messages[1])", "changed message \(messages[0])",
        "changed thread \(thread)",
      ])
    #expect(facts[1].fields.boolean(.isUnread) == false, "what it is now, not what it was")
    #expect(facts[4].fields.integer(.version) == 3)
  }

  @Test func changes_ofWhatIsGone_areDropped() throws {
    let desk = Desk()
    let start = try desk.cursor()
    let (thread, messages) = desk.mail()
    _ = try desk.perform(.message, messages[0], .deletion)
    let answer = try desk.changes(since: start, limit: 1)
    #expect(answer.facts.map(\.short) == ["deleted message \(messages[0])"])
    #expect(!answer.isLast)
    let rest = try desk.changes(since: try #require(answer.cursor))
    #expect(rest.facts.map(\.short) == ["deleted thread \(thread)"])
    #expect(rest.isLast)
  }

  @Test func changes_pageByPage_areAll() throws {
    let desk = Desk { $0.shortShare = 500 }
    let start = try desk.cursor()
    for _ in 0..<20 { _ = desk.mail(2) }
    let all = try desk.changes(since: start, limit: 10_000)
    var (cursor, told): (String, [String]) = (start, [])
    while true {
      let answer = try desk.changes(since: cursor, limit: 7)
      #expect(answer.facts.count <= 7)
      told += answer.facts.map(\.short)
      cursor = answer.cursor ?? ""
      if answer.isLast { break }
    }
    #expect(told.count == 20 * 4)
    #expect(Set(told).isSuperset(of: all.facts.map(\.short)))
  }

  @Test func cursor_purgedOrMade_isUnknown() throws {
    let desk = Desk()
    let start = try desk.cursor()
    _ = desk.mail(3)
    desk.server.purge(keeping: 2)
    #expect(failure { try desk.changes(since: start) } == .cursorUnknown)
    #expect(failure { try desk.changes(since: "c999") } == .cursorUnknown)
    #expect(failure { try desk.changes(since: "x") } == .cursorUnknown)
    #expect(try desk.changes(since: desk.cursor()).facts.isEmpty)
  }

  @Test func pages_shiftUnderneath() throws {
    let desk = Desk()
    let threads = (0..<4).map { _ in desk.mail().thread }
    let first = try desk.ask(.page(.thread, offset: 0, limit: 2))
    #expect(first.facts.compactMap(\.fields.id) == [threads[3], threads[2]])
    _ = desk.server.receive("late", from: "a@x.com", in: threads[0])
    let second = try desk.ask(.page(.thread, offset: 2, limit: 2))
    #expect(second.facts.compactMap(\.fields.id) == [threads[2], threads[1]])
  }

  @Test func pages_haveNoMoreThanTheServerLists() throws {
    let desk = Desk { $0.listedMax = 2 }
    let threads = (0..<3).map { _ in desk.mail().thread }
    let first = try desk.ask(.page(.thread, offset: 0, limit: 9))
    #expect(first.facts.compactMap(\.fields.id) == [threads[2], threads[1]] && !first.isLast)
    let second = try desk.ask(.page(.thread, offset: 2, limit: 9))
    #expect(second.facts.compactMap(\.fields.id) == [threads[0]] && second.isLast)
  }

  @Test func pages_areShortNowAndThen() throws {
    let desk = Desk { $0.shortPageShare = 500 }
    for _ in 0..<20 { _ = desk.mail() }
    var counts: Set<Int> = []
    for _ in 0..<400 {
      let page = try desk.ask(.page(.thread, offset: 0, limit: 9))
      #expect(!page.isLast)
      counts.insert(page.facts.count)
    }
    #expect(counts == Set(0...9))
  }

  @Test func tags_areTakenFirst() throws {
    let desk = Desk()
    let (thread, _) = desk.mail()
    _ = try desk.perform(.thread, thread, .tags(added: ["inbox"], removed: ["inbox", "unseen"]))
    #expect(desk.server.thread(thread)?.tags == ["inbox", "unread"])
    #expect(
      failure { try desk.perform(.thread, thread, .tags(added: ["none"], removed: [])) }
        == .notFound)
    #expect(
      failure { try desk.perform(.thread, thread, .tags(added: ["unseen"], removed: [])) }
        == .invalid)
  }

  @Test func reading_isCoupled() throws {
    let desk = Desk()
    let (thread, messages) = desk.mail(2)
    _ = try desk.perform(.message, messages[0], .read(true))
    #expect(desk.server.thread(thread)?.tags == ["inbox", "unread"])
    _ = try desk.perform(.message, messages[1], .read(true))
    #expect(desk.server.thread(thread)?.tags == ["inbox"])
    _ = try desk.perform(.message, messages[0], .read(false))
    #expect(desk.server.thread(thread)?.tags == ["inbox", "unread"])
    _ = try desk.perform(.thread, thread, .read(true))
    #expect(desk.server.message(messages[0])?.isUnread == false)
  }

  @Test func versions_countChangesOfThreads() throws {
    let desk = Desk()
    let (thread, _) = desk.mail()
    let outcome = try desk.perform(.thread, thread, .tags(added: ["starred"], removed: []))
    #expect(outcome == .done(version: 2))
    #expect(failure { try desk.perform(.thread, "t9", .read(true)) } == .notFound)
  }

  @Test func lastItem_takesTheThread() throws {
    let desk = Desk()
    let (thread, messages) = desk.mail(2)
    _ = try desk.perform(.message, messages[0], .deletion)
    #expect(desk.server.thread(thread) != nil)
    _ = try desk.perform(.message, messages[1], .deletion)
    #expect(desk.server.thread(thread) == nil)
  }

  @Test func keys_areKnownForAWhile() throws {
    let desk = Desk { $0.keyInterval = .seconds(60) }
    let (thread, _) = desk.mail()
    for _ in 0..<2 { _ = try desk.perform(.thread, thread, .read(true), key: 7) }
    #expect(desk.server.deeds.count == 1)
    #expect(desk.server.thread(thread)?.version == 2)
    desk.tick(.seconds(61))
    _ = try desk.perform(.thread, thread, .read(true), key: 7)
    #expect(desk.server.deeds.count == 2)
  }

  @Test func staleEcho_isTold_andThenTheTruth() throws {
    let desk = Desk { $0.staleShare = 1000 }
    let (_, messages) = desk.mail()
    var cursor = try desk.cursor()
    _ = try desk.perform(.message, messages[0], .read(true))
    var told: [Bool] = []
    while true {
      let answer = try desk.changes(since: cursor)
      cursor = answer.cursor ?? ""
      told += answer.facts.filter { $0.objectClass == .message }
        .compactMap { $0.fields.boolean(.isUnread) }
      guard let due = desk.server.nextChore else { break }
      desk.server.advance(to: due)
    }
    #expect(told == [false, true, false])
  }

  @Test func lateChanges_keepTheirOrder() throws {
    let desk = Desk { $0.lateShare = 1000 }
    let (thread, _) = desk.mail()
    #expect(
      try desk.perform(.thread, thread, .tags(added: ["starred"], removed: [])) == .done())
    _ = try desk.perform(.thread, thread, .tags(added: [], removed: ["starred"]))
    #expect(desk.server.thread(thread)?.version == 1)
    while let due = desk.server.nextChore { desk.server.advance(to: due) }
    #expect(desk.server.thread(thread)?.tags.contains("starred") == false)
    #expect(desk.server.thread(thread)?.version == 3)
  }

  @Test func tag_namesAreOnce() throws {
    let desk = Desk()
    let outcome = try desk.perform(.tag, "local-1", .tag(name: "Work", isNew: true))
    guard case .done(_, let id?) = outcome else { return #expect(Bool(false)) }
    #expect(
      failure { try desk.perform(.tag, "local-2", .tag(name: "work", isNew: true)) } == .conflict)
    #expect(
      failure { try desk.perform(.tag, "inbox", .tag(name: "in", isNew: false)) } == .invalid)
    #expect(try desk.perform(.tag, id, .tag(name: "Job", isNew: false)) == .done())
  }
}

/// The reason for a failure.
func failure<R>(_ body: () throws -> R) -> ServerFailure.Reason? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? ServerFailure)?.reason
  }
}
