import EventStore
import Testing
import Tideline
import TidelineSimulator
import TidelineSync

@Suite struct RichServerTests {
  private let first = Token("1")
  private let second = Token("2")

  /// Creates a server with messages and one device, on which somebody has logged in twice.
  private func server(_ manner: RichServer.Manner, messages: Int = 3) -> RichServer {
    let server = RichServer(manner, at: Timestamp(rawValue: 1_000_000), seed: 1)
    server.visitors[first] = Visitor(device: "d", login: 1)
    server.visitors[second] = Visitor(device: "d", login: 2)
    for _ in 0..<messages { server.publish() }
    return server
  }

  private func perform(
    _ server: RichServer, _ ids: [String], _ wanted: ServerRequest.Wanted
  ) throws -> [PartOutcome] {
    let parts = ids.map { ServerRequest.Part(.rich, $0, wanted, version: nil) }
    return try server.perform(ServerRequest(parts), token: first).outcomes
  }

  private func ids(_ server: RichServer, _ token: Token) throws -> [String] {
    try server.answer(.all(.rich), token: token).facts.compactMap(\.fields.id)
  }

  @Test func engage_beginsUnreadWithEachLogin() throws {
    let server = server(.engage)
    _ = try perform(server, ["r1"], .read(true))
    let facts = try server.answer(.all(.rich), token: first).facts
    #expect(facts.map { $0.fields.boolean(.isRead) } == [true, false, false])
    let others = try server.answer(.all(.rich), token: second).facts
    #expect(others.map { $0.fields.boolean(.isRead) } == [false, false, false])
  }

  @Test func engage_beginsUnreadWhenThePersonIsBack_withoutWhatWasDeleted() throws {
    let server = server(.engage)
    _ = try perform(server, ["r1"], .read(true))
    _ = try perform(server, ["r2"], .deletion)
    let third = Token("3")
    server.visitors[third] = Visitor(device: "d", login: 1, session: 1)
    let facts = try server.answer(.all(.rich), token: third).facts
    #expect(facts.map(\.fields.id) == ["r1", "r3"])
    #expect(facts.map { $0.fields.boolean(.isRead) } == [false, false])
  }

  @Test func engage_leavesOutWhatWasDeleted() throws {
    let server = server(.engage)
    _ = try perform(server, ["r2"], .deletion)
    #expect(try ids(server, first) == ["r1", "r3"])
    #expect(try ids(server, second) == ["r1", "r2", "r3"])
  }

  /// A list that says the same need not be written again.
  @Test(arguments: [RichServer.Manner.engage, .marketingCloud])
  func edition_changes_withWhatIsTold(_ manner: RichServer.Manner) throws {
    let server = server(manner)
    let isByDevice = manner == .marketingCloud
    var before = try server.edition(for: first)
    let wishes: [(ServerRequest.Wanted, Bool)] = [
      (.receipt, isByDevice), (.read(true), !isByDevice), (.read(true), false),
      (.deletion, !isByDevice),
    ]
    for (wanted, isTold) in wishes {
      let facts = try server.facts(for: first)
      _ = try perform(server, ["r1"], wanted)
      let after = try server.edition(for: first)
      #expect((after != before) == isTold, "\(wanted)")
      #expect((try server.facts(for: first) != facts) == isTold, "\(wanted)")
      before = after
    }
  }

  @Test func marketingCloud_tellsNothingTwiceToADevice() throws {
    let server = server(.marketingCloud)
    #expect(try ids(server, first) == ["r1", "r2", "r3"])
    _ = try perform(server, ["r1", "r2"], .receipt)
    #expect(try ids(server, first) == ["r3"])
    #expect(try ids(server, second) == ["r3"], "whoever is logged in there")
  }

  @Test func expired_isNotTold() throws {
    let server = server(.engage, messages: 1)
    server.publish(end: Timestamp(rawValue: 1_060_000))
    #expect(try ids(server, first).count == 2)
    server.advance(to: Timestamp(rawValue: 1_060_000))
    #expect(try ids(server, first) == ["r1"])
  }

  @Test func parts_failAndAreNotMentioned_eachByItself() throws {
    let server = server(.engage, messages: 60)
    (server.failingShare, server.unmentionedShare) = (300, 300)
    let outcomes = try perform(
      server, server.told(to: Visitor(device: "", login: 1)).map(\.id), .read(true))
    let failed = outcomes.filter { if case .failed = $0 { true } else { false } }.count
    let silent = outcomes.filter { $0 == .unmentioned }.count
    #expect(failed > 5 && silent > 5 && failed + silent < 55)
    #expect(server.deeds.count == 60 - failed, "what is not mentioned was done")
    #expect(try perform(server, ["none"], .read(true)) == [.gone])
    #expect(throws: ServerFailure.self) { try server.answer(.all(.rich), token: nil) }
  }

  @Test func throttled_saysForHowLong() throws {
    let server = server(.engage)
    server.leastInterval = .seconds(60)
    _ = try ids(server, first)
    server.advance(to: Timestamp(rawValue: 1_020_000))
    let failure = #expect(throws: ServerFailure.self) { try ids(server, first) }
    #expect(failure?.reason == .throttled)
    #expect(failure?.retryAfter == .seconds(40))
  }
}
