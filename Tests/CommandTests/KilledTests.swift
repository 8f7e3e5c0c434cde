import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineServer

/// Processes that are killed while they bring an inbox and its server into step.
///
/// It takes seconds, as processes begin and end; with `TIDELINE_PROVE=1` a hundred are killed.
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

  private func server(port: UInt16 = 0, incarnation: Int = 0) throws -> EmbeddedServer {
    try EmbeddedServer(Router(plan, incarnation: incarnation), port: port) {
      Timestamp(rawValue: 1_767_182_400_000)
    }
  }

  private func sync(_ server: EmbeddedServer, _ more: String...) throws -> Tideline {
    try Tideline(
      ["sync", path, "--mail", server.address, "--token", "tideline"] + more)
  }

  /// The ids of threads that are here.
  private func threads() async throws -> [String] {
    try await Tideline.run("list", path, "--limit", "100").output.map { line in
      String(try #require(line.split(separator: "[").last).dropLast())
    }
  }

  @Test func killedClients_loseNothing_andHaveNothingDoneTwice() async throws {
    let server = try server()
    var (random, wanted) = (SeededGenerator(seed: Self.seed), [String: Bool]())
    #expect(try await sync(server, "--once").ended().status == 0)
    let ids = try await threads()
    for _ in 0..<Self.kills {
      let id = try #require(ids.randomElement(using: &random))
      wanted[id] = wanted[id] != true
      let option = wanted[id] == true ? "--add" : "--remove"
      #expect(try await Tideline.run("tag", path, id, option, "archive").status == 0)
      let client = try sync(server)
      try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200, using: &random)))
      client.kill()
      _ = try await client.ended()
    }
    #expect(try await sync(server, "--once").ended().status == 0)
    let state = server.withRouter { router, _ in router.state }.split(separator: "\n")
    for (id, isArchived) in wanted {
      let line = try #require(state.first { $0.hasPrefix("thread \(id) ") })
      #expect(line.contains("archive") == isArchived, "seed \(Self.seed): \(line)")
    }
    let keys = server.withRouter { router, _ in router.deeds.map(\.key) }
    #expect(Set(keys).count == keys.count, "seed \(Self.seed)")
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
