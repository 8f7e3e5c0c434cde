import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Whether a list's content comes from the device alone, or from the server as well.
@Suite(.timeLimit(.minutes(5))) struct AskingTests {
  private static let newest: [SortDescriptor<MailThread>] = [
    SortDescriptor(\.effectiveDate, order: .reverse)
  ]

  /// A mailbox whose first listing fails until the flag is set.
  private static func server(_ isListed: Flag) -> PlayedServer {
    var abilities = ServerAbilities.mail
    abilities.lists = [.thread: [.unread]]
    return PlayedServer(
      abilities,
      onQuestion: { question throws(ServerFailure) in
        switch question {
        case .list:
          return Answer { answer in
            answer.facts = [
              ObjectFact(
                .thread,
                ObjectFields {
                  $0.put(.id, "t")
                  $0.put(.tags, [ObjectLabel("unread")])
                })
            ]
          }
        case .cursor: return Answer { $0.cursor = "c" }
        default:
          guard isListed.isSet else { throw ServerFailure(.invalid) }
          return Answer()
        }
      })
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }

  @Test(.feature(10)) func list_isAskedOfTheServer_untilTheDeviceHasAllOfIt() async throws {
    let isListed = Flag()
    let server = Self.server(isListed)
    try await TestDesk.withInbox { inbox, _ in
      let unread = try inbox.provider(
        MailThread.self, where: #Predicate { $0.isUnread }, sort: Self.newest)
      let sync = Sync(inbox, with: server)
      sync.start()
      let origin = try sync.ask(for: unread.plan, in: 50..<100)
      #expect(origin == .server(ServerQuery(unread.plan, by: [.unread])))
      for await change in unread.changes {
        #expect(change.list.map(\.id) == ["t"])
        break
      }
      let list = Question.list(.thread, by: [.unread(true)], offset: 50, limit: 50)
      #expect(server.asked.filter(\.isList) == [list])
      // A list in the device's own order, or a narrower one, is asked for from its first item on.
      let read = try inbox.provider(MailThread.self, where: #Predicate { !$0.isUnread })
      try sync.ask(for: read.plan, in: 50..<100)
      isListed.set()
      _ = await sync.refresh()
      try await sync.status { $0.upToDateAt != nil }
      #expect(
        server.asked.filter(\.isList)
          == [list, .list(.thread, by: [.unread(false)], offset: 0, limit: 100)])
      #expect(try sync.ask(for: unread.plan) == .device)
      sync.stop()
    }
  }

  /// If the server returns less than requested, the list is asked for page by page, up to its shown
  /// end.
  @Test(.feature(10)) func list_isAskedFor_pageByPage() async throws {
    var abilities = ServerAbilities()
    abilities.lists = [.thread: [.unread]]
    let server = PlayedServer(
      abilities,
      onQuestion: { question throws(ServerFailure) in
        guard case .list(_, _, let offset, let limit) = question else {
          throw ServerFailure(.notFound)
        }
        return Answer { answer in
          answer.facts = (offset..<(offset + min(limit, 2))).map { number in
            ObjectFact(.thread, ObjectFields { $0.put(.id, "t\(number)") })
          }
          answer.isLast = false
        }
      })
    try await TestDesk.withInbox { inbox, _ in
      let all = try inbox.provider(MailThread.self, sort: Self.newest)
      let sync = Sync(inbox, with: server)
      sync.start()
      try sync.ask(for: all.plan, in: 1..<6)
      for await change in all.changes where change.list.count == 5 { break }
      let pages = [(1, 5), (3, 3), (5, 1)].map { offset, limit in
        Question.list(.thread, by: [], offset: offset, limit: limit)
      }
      #expect(server.asked == pages)
      sync.stop()
    }
  }

  @Test func list_isAskedFor_upToALimit() throws {
    let query = try ServerQuery(QueryPlan<MailThread>(), by: [])
    let question = query.question(in: 0..<1_000_000)
    #expect(question == .list(.thread, by: [], offset: 0, limit: Sync.askedMax))
  }

  @Test(.feature(10)) func list_isAskedFor_onceThereIsANetwork() async throws {
    let server = Self.server(Flag())
    try await TestDesk.withInbox { inbox, _ in
      let unread = try inbox.provider(MailThread.self, where: #Predicate { $0.isUnread })
      let sync = Sync(inbox, with: server)
      sync.note(.network(false))
      sync.start()
      try await sync.status { $0.obstacle == .offline }
      for _ in 0..<2 { try sync.ask(for: unread.plan, in: 0..<9) }
      sync.note(.network(true))
      for await change in unread.changes where !change.list.isEmpty { break }
      #expect(server.asked.count(where: \.isList) == 1)
      sync.stop()
    }
  }

  /// The server is not asked for lists that it doesn't offer, or that it always returns as a whole.
  @Test(.feature(10)) func list_isTheDevices_whereTheServerCanNotBeAsked() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let server = PlayedServer(.rich)
      let sync = Sync(inbox, with: server)
      let all = try inbox.rich.provider()
      #expect(try sync.ask(for: all.plan) == .device)
      let mail = Sync(inbox, with: Self.server(Flag()))
      #expect(try mail.ask(for: QueryPlan<Message>()) == .device)
      #expect(try mail.ask(for: QueryPlan<MailThread>(), in: 0..<0) == .device)
      #expect(try mail.ask(for: QueryPlan<MailThread>()) != .device)
    }
  }

  /// An explicit question fetches an object's present state; if it's gone, it's removed.
  @Test(.feature(22)) func object_isAskedForAnew() async throws {
    let server = PlayedServer(
      .sink,
      onQuestion: { question throws(ServerFailure) in
        guard question == .object(.thread, id: "a") else {
          throw ServerFailure(.notFound, status: 404)
        }
        let fields = ObjectFields {
          $0.put(.id, "a")
          $0.put(.subject, "News")
        }
        return Answer { $0.facts = [ObjectFact(.thread, fields)] }
      })
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"], "b": ["inbox"]])
      var tag = Tag(id: inbox.newID(), account: inbox.account)
      tag.providedName = "work"
      try await inbox.perform(.save(tag))
      let sync = Sync(inbox, with: server)
      try sync.ask(for: Tag.self, tag.id)
      for id in ["a", "b"] { try sync.ask(for: MailThread.self, id) }
      sync.start()
      for await thread in try inbox.watch(MailThread.self, "a") where thread?.subject == "News" {
        break
      }
      for await thread in try inbox.watch(MailThread.self, "b") where thread == nil { break }
      let asked: Set<Question> = [.object(.thread, id: "a"), .object(.thread, id: "b")]
      #expect(Set(server.asked) == asked && server.asked.count == 2)
      sync.stop()
    }
  }

  /// The server has nothing under a tag that it doesn't know yet.
  @Test(.feature(10)) func tagThatIsNew_isAskedOfTheDeviceAlone() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var abilities = ServerAbilities.mail
      abilities.lists = [.thread: [.tag]]
      let sync = Sync(inbox, with: PlayedServer(abilities))
      var tag = Tag(id: inbox.newID(), account: inbox.account)
      tag.providedName = "work"
      try await inbox.perform(.save(tag))
      let id = tag.id
      let plan = try QueryPlan<MailThread>(where: #Predicate { $0.tagIDs.contains(id) })
      #expect(try sync.ask(for: plan) == .device)
      let replaced = IDReplaced { ($0.objectClass, $0.old, $0.new) = (.tag, id, "t9") }
      try await inbox.record(replaced)
      try await inbox.record(ObjectFact(.tag, ObjectFields { $0.put(.id, "t9") }))
      guard case .server(let asked) = try sync.ask(for: plan) else {
        Issue.record("the server was not asked")
        return
      }
      #expect(asked.filters == [.tag("t9")])
    }
  }

  /// What screens asked for is asked again by the next machine, if it was not answered.
  @Test func objectsThatAreLookedAt_areAskedForByTheNextMachine() async throws {
    try await Bench.with(.rich, .engage) { bench in
      let questions = (0..<8).map { Question.object(.rich, id: "t\($0)") }
      let refresh = try await bench.take(.began).asked
      try await bench.take(.answered(try #require(refresh.first), .success(Answer())))
      var asked: [QuestionID] = []
      for question in questions { asked += try await bench.take(.looked(question)).asked }
      try await bench.take(.answered(asked[0], .success(Answer())))
      try await bench.take(.answered(asked[1], .failure(ServerFailure(.notSent))))
      var next = SyncMachine(bench.machine.login, .rich, seed: 8)
      next.handover = bench.machine.handover
      bench.machine = next
      var place = 0
      asked = try await bench.take(.began).asked
      while place < asked.count {
        asked += try await bench.take(.answered(asked[place], .success(Answer()))).asked
        place += 1
      }
      #expect(asked.count == 8)
      #expect(Set(asked.map(\.question)) == Set(questions[1...] + [.all(.rich)]))
    }
  }

  /// Many opened objects are asked for a few at a time, and each once.
  @Test func objectsThatAreLookedAt_areAskedForInTurn() async throws {
    try await Bench.with { bench in
      var asked: [QuestionID] = []
      for number in (0..<10).map({ $0 % 8 }) {
        asked += try await bench.take(.looked(.object(.thread, id: "t\(number)"))).asked
      }
      #expect(asked.count == ServerAbilities.sink.requestsMax)
      var place = 0
      while place < asked.count {
        asked += try await bench.take(.answered(asked[place], .success(Answer()))).asked
        place += 1
      }
      let ids = asked.map(\.question).map { question in
        if case .object(_, let id) = question { id } else { "" }
      }
      #expect(Set(ids).count == 8)
    }
  }
}

extension Question {
  /// Whether the question is for a list.
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}
