import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineServer

/// Processes that are killed while they synchronize an inbox with its server.
///
/// The tests take seconds, as processes start and end; `TIDELINE_PROVE=1` kills a hundred of them.
@Suite(.timeLimit(.minutes(20))) struct KilledTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path(of: "inbox") }
  private let plan: ServerPlan
  private static let kills = Campaign.size(5, long: 100)
  private static let seed = Campaign.chosenSeeds?.lowerBound ?? 7

  init() throws {
    folder = try TemporaryFolder()
    var plan = ServerPlan()
    (plan.threads, plan.richMessages) = (60, 10)
    self.plan = plan
  }

  private func server() throws -> EmbeddedServer {
    try Port.listening { port in try server(port: port) }
  }

  private func server(port: UInt16, incarnation: Int = 0) throws -> EmbeddedServer {
    try EmbeddedServer(Router(plan, incarnation: incarnation), port: port) {
      Timestamp(rawValue: 1_767_182_400_000)
    }
  }

  private func sync(_ server: EmbeddedServer, _ more: String...) throws -> Tideline {
    try Tideline(
      ["sync", path, "--mail", server.address, "--token", "tideline"] + more)
  }

  /// The ids of the threads in the local inbox.
  private func threads() async throws -> [String] {
    try await Tideline.run("list", path, "--limit", "100").output.map { line in
      String(try #require(line.split(separator: "[").last).dropLast())
    }
  }

  /// The request that is still unanswered when its sender is killed.
  private enum Target: CaseIterable {
    case sending, draft, tags, any
  }

  /// The intents given to clients that were killed.
  private struct Wishes {
    var archived: [String: Bool] = [:]
    /// The texts of drafts.
    var drafts: Set<String> = []
    /// The texts of the drafts to be sent.
    var sent: Set<String> = []
    var count = 0
  }

  private func withInbox<Value>(_ body: (Inbox) async throws -> Value) async throws -> Value {
    let store = try await InboxStore.open(at: path)
    let value = try await body(store.inbox(of: 1))
    await store.close()
    return value
  }

  /// Changes tags and saves a draft, and sends the draft if that is the target.
  private func wish(
    _ inbox: Inbox, _ number: Int, _ target: Target, of thread: String, _ wishes: inout Wishes
  ) async throws {
    let isArchived = wishes.archived[thread] != true
    wishes.archived[thread] = isArchived
    let tags: Set = ["archive"]
    try await inbox.perform(
      .changeTags(
        MailThread.self, [thread], adding: isArchived ? tags : [],
        removing: isArchived ? [] : tags))
    var draft = Draft(id: inbox.newID(), account: inbox.account)
    (draft.subject, draft.to) = ("draft \(number)", [Participant(email: "b@x.com")])
    try await inbox.perform(.save(draft, body: "text \(number)"))
    wishes.count += 2
    guard target == .sending else { return _ = wishes.drafts.insert("text \(number)") }
    try await inbox.perform(.send(draft))
    wishes.sent.insert("text \(number)")
    wishes.count += 1
  }

  /// Makes the server carry out one request without answering it while a client waits.
  private func hold(_ target: Target, at server: EmbeddedServer, number: Int) {
    let hold = WireFault.delay(.seconds(600))
    server.withRouter { router, now in
      _ = router.receiveMail(at: now)
      switch target {
      case .sending: router.faults.add(hold, path: "/send")
      case .draft: router.faults.add(hold, path: "/drafts", method: "POST")
      case .tags: router.faults.add(hold, path: "/threads", method: "PUT")
      case .any:
        if number > 0 { router.faults.add(.delay(.zero), count: number) }
        router.faults.add(hold)
      }
    }
  }

  /// The texts of the objects, once for each object.
  private func texts<Object: Model>(
    of type: Object.Type, in inbox: Inbox, _ body: KeyPath<Object, TextReference?>
  ) throws -> [String] {
    let list = try inbox.provider(type, window: 0..<1000).start.list
    return try list.compactMap { try $0[keyPath: body].flatMap { try inbox.text($0) } }
      .filter { $0.hasPrefix("text ") }
  }

  @Test func killedClients_loseNothing_andHaveNothingDoneTwice() async throws {
    let server = try server()
    var (random, wishes) = (SeededGenerator(seed: Self.seed), Wishes())
    #expect(try await sync(server, "--once").ended().status == 0)
    let ids = try await threads()
    let before = server.withRouter { router, _ in router.messageCount }
    var unanswered = 0
    for number in 0..<Self.kills {
      let target = Target.allCases[number % Target.allCases.count]
      let id = try #require(ids.randomElement(using: &random))
      try await withInbox { inbox in
        try await wish(inbox, number, target, of: id, &wishes)
      }
      hold(target, at: server, number: Int.random(in: 0..<4, using: &random))
      let client = try sync(server)
      while server.withRouter({ router, _ in router.faults.count }) > 0 {
        try await Task.sleep(for: .milliseconds(1))
      }
      client.kill()
      _ = try await client.ended()
      unanswered += try await withInbox { inbox in
        try inbox.openOperations().count { $0.state == .started }
      }
    }
    #expect(unanswered > 0)
    #expect(try await sync(server, "--once").ended().status == 0)
    let state = server.withRouter { router, _ in router.state }.split(separator: "\n")
    for (id, isArchived) in wishes.archived {
      let line = try #require(state.first { $0.hasPrefix("thread \(id) ") })
      #expect(line.contains("archive") == isArchived, "seed \(Self.seed): \(line)")
    }
    let (deeds, messages) = server.withRouter { router, _ in
      (router.deeds.count, router.messageCount)
    }
    #expect(deeds <= wishes.count, "seed \(Self.seed)")
    #expect(messages == before + Self.kills + wishes.sent.count, "seed \(Self.seed)")
    #expect(state.count { $0.hasPrefix("draft ") } == wishes.drafts.count, "seed \(Self.seed)")
    try await withInbox { inbox in
      let drafts = try texts(of: Draft.self, in: inbox, \.body)
      #expect(drafts.sorted() == wishes.drafts.sorted(), "seed \(Self.seed)")
      let sent = try texts(of: Message.self, in: inbox, \.body)
      #expect(sent.sorted() == wishes.sent.sorted(), "seed \(Self.seed)")
    }
    let status = try await Tideline.run("status", path, "--verify")
    #expect(status.status == 0, "\(status)")
  }

  @Test func serversThatBeginAnew_areFollowedAgain() async throws {
    var current = try server()
    let port = current.port
    let client = try sync(current)
    for number in 1...Campaign.size(3, long: 10) {
      while let line = await client.next(), line != "-- live" {}
      current.stop()
      while let line = await client.next(), !line.contains("can't be reached") {}
      current = try server(port: port, incarnation: number * 1000)
    }
    while let line = await client.next(), line != "-- live" {}
    current.withRouter { router, now in _ = router.receiveMail(at: now) }
    var arrived: String?
    while let line = await client.next() {
      arrived = line
      if line.hasPrefix("new ") { break }
    }
    #expect(arrived?.hasPrefix("new ") == true)
    client.interrupt()
    #expect(try await client.ended().status == 0)
  }
}
