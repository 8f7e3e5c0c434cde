import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Which parts of a query a server can answer.
@Suite struct ServerQueryTests {
  private static let all = Set(ServerFilter.Kind.allCases)
  private static let date = Date(timeIntervalSince1970: 1_750_000_000)

  private func query<Object: Model>(
    _ predicate: Predicate<Object>, _ kinds: Set<ServerFilter.Kind> = all
  ) throws -> ServerQuery {
    ServerQuery(try QueryPlan(where: predicate), by: kinds)
  }

  @Test(.feature(14)) func partOfAThreadsQuery_isFilters() throws {
    let (day, week) = (Self.date, Self.date + 7 * 86_400)
    #expect(try query(#Predicate<MailThread> { $0.isUnread }).filters == [.unread(true)])
    #expect(try query(#Predicate<MailThread> { !$0.isStarred }).filters == [.starred(false)])
    let several = try query(
      #Predicate<MailThread> {
        $0.tagIDs.contains("inbox") && $0.isUnread && $0.addresses.contains("a@x.com")
      })
    #expect(several.filters == [.tag("inbox"), .unread(true), .address(["a@x.com"])])
    #expect(several.isExact)
    let dated = try query(
      #Predicate<MailThread> { thread in
        thread.lastMessageDate.flatMap { $0 >= day && $0 < week } ?? false
      })
    let last = Date(kept: Timestamp(rawValue: week.kept.rawValue - 1))
    #expect(dated.filters == [.since(day), .until(last)] && dated.isExact)
    let past = Date.distantPast
    let present = try query(
      #Predicate<MailThread> {
        ($0.lastMessageDate ?? past) >= day && $0.isUnread && $0.lastMessageDate != nil
      })
    #expect(present.filters == [.since(day), .unread(true)] && present.isExact)
  }

  @Test(.feature(14)) func partOfAMessagesQuery_isFilters() throws {
    let messages = try query(
      #Predicate<Message> { $0.threadID == "t" && !$0.isUnread && $0.isStarred == true })
    #expect(messages.filters == [.thread("t"), .unread(false), .starred(true)])
    #expect(messages.isExact && messages.objectClass == .message)
    let contacts = try query(#Predicate<Contact> { $0.name == "Ann" })
    #expect(contacts.filters.isEmpty && !contacts.isExact)
  }

  /// InboxKit silently dropped the residue, and of two tags it asked for the last.
  @Test(.feature(14)) func whatIsLeft_isSaid() throws {
    let whole = #Predicate<MailThread> {
      $0.tagIDs.contains("a") && $0.tagIDs.contains("b") && $0.subject == "Hi" && $0.isUnread
    }
    let rest = #Predicate<MailThread> { $0.tagIDs.contains("b") && $0.subject == "Hi" }
    let asked = try query(whole)
    #expect(asked.filters == [.tag("a"), .unread(true)])
    #expect(
      NormalCondition(MailThread.scope && asked.residue)
        == NormalCondition(try QueryPlan(where: rest).condition))
    #expect(!asked.isExact && asked.reasons.isEmpty)
    // A server that can't filter is asked for everything.
    let nothing = try query(whole, [])
    #expect(nothing.filters.isEmpty)
    let bent = try query(
      #Predicate<MailThread> { $0.isUnread && ($0.subject ?? "").contains("i") })
    #expect(bent.filters == [.unread(true)] && bent.residue == .always)
    #expect(!bent.isExact && !bent.reasons.isEmpty)
  }

  @Test(
    .feature(14),
    arguments: [
      #Predicate { $0.isUnread || $0.tagIDs.contains("a") },
      #Predicate { !$0.tagIDs.contains("a") },
      #Predicate { $0.addresses.contains("ä@x.com") },
      #Predicate { $0.addresses.contains("a,b@x.com") },
      #Predicate { $0.lastMessageDate == nil },
      #Predicate { $0.effectiveDate > date },
      #Predicate { $0.tagIDs.contains("") },
    ] as [Predicate<MailThread>])
  func whatAServerMightMiss_isNotAskedOfIt(_ predicate: Predicate<MailThread>) throws {
    let asked = try query(predicate)
    #expect(asked.filters.isEmpty && asked.residue != .always)
  }

  /// Everything a query finds passes the filters; and the query finds everything that passes them
  /// and meets the residue.
  @Test(.feature(14), arguments: [1, 2, 3, 4] as [UInt64]) func random_missNothing(seed: UInt64)
    throws
  {
    var dice = SeededGenerator(seed: seed)
    let draw = RandomPredicate<MailThread>(leaves: [
      RandomPredicate.texts(\.tagIDs), RandomPredicate.truth(\.isUnread),
      RandomPredicate.truth(\.isStarred), RandomPredicate.texts(\.addresses),
      RandomPredicate.optional(\.lastMessageDate, Drawn.date), RandomPredicate.parts(\.subject),
    ])
    let objects = try (0..<60).map { _ in try thread(&dice) }
    let rows = try objects.map { try $0.row() }
    var counts = (filtered: 0, exact: 0)
    for _ in 0..<Campaign.size(1_000, long: 50_000) {
      let plan = try QueryPlan(where: draw(&dice))
      let query = ServerQuery(plan, by: Self.all)
      counts.filtered += query.filters.isEmpty ? 0 : 1
      counts.exact += query.filters.isEmpty || !query.isExact ? 0 : 1
      let condition = ConditionProgram(NormalCondition(plan.condition))
      let residue = ConditionProgram(NormalCondition(query.residue))
      for _ in 0..<5 {
        let index = Int.random(in: objects.indices, using: &dice)
        let row = rows[index]
        let (isFound, isLeft) = (condition.matches(row.view), residue.matches(row.view))
        let isRight = isFound == (isLeft && query.filters.allSatisfy { $0.lets(objects[index]) })
        #expect(isRight, "seed \(seed): \(plan.explanation)\n\(query)\n\(objects[index])")
        if !isRight { return }
      }
    }
    #expect(counts.filtered > 200 && counts.exact > 20, "\(counts)")
  }

  private func thread(_ dice: inout SeededGenerator) throws -> MailThread {
    var thread = try Drawn.object(MailThread.self, &dice)
    for tag in ["unread", "starred"] where Bool.random(using: &dice) { thread.tagIDs.insert(tag) }
    return thread
  }
}

extension ServerFilter {
  /// Returns whether a thread passes.
  fileprivate func lets(_ thread: MailThread) -> Bool {
    switch self {
    case .tag(let tag): thread.tagIDs.contains(tag)
    case .unread(let flag): thread.isUnread == flag
    case .starred(let flag): thread.isStarred == flag
    case .thread(let id): thread.id == id
    case .address(let addresses): !thread.addresses.isDisjoint(with: addresses)
    case .since(let date): thread.lastMessageDate.map { $0 >= date } ?? false
    case .until(let date): thread.lastMessageDate.map { $0 <= date } ?? false
    }
  }
}
