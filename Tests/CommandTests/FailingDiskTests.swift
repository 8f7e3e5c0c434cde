import EventStore
import TestSupport
import Testing
import Tideline
import TidelineServer

/// Disks that fill up or break while an inbox and its server synchronize.
///
/// The tests take seconds, as processes start and end.
@Suite(
  .enabled(if: Faults.areAvailable, "making a disk fail takes a C compiler and Linux"),
  .timeLimit(.minutes(5)))
struct FailingDiskTests {
  private let folder: TemporaryFolder
  private let faults: Faults
  private let server: EmbeddedServer
  private var path: String { folder.path(of: "inbox") }

  init() throws {
    (folder, faults) = (try TemporaryFolder(), try Faults())
    var plan = ServerPlan()
    plan.threads = 200
    server = try EmbeddedServer(Router(plan)) { Timestamp(rawValue: 1_767_182_400_000) }
  }

  private func sync(_ path: String? = nil) async throws -> Tideline.Outcome {
    let words = ["sync", path ?? self.path, "--mail", server.address, "--token", "tideline"]
    return try await Tideline(words + ["--once"], environment: faults.environment).ended()
  }

  /// Once the disk works again, the inbox equals one whose disk never failed.
  private func expectInStep() async throws {
    let (sound, outcome) = (folder.path(of: "sound"), try await sync())
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await sync(sound) == outcome)
    let list = try await Tideline.run("list", path, "--limit", "1000")
    #expect(list.output.count > 100)
    #expect(try await Tideline.run("list", sound, "--limit", "1000") == list)
    #expect(try await Tideline.run("status", path, "--verify").status == 0)
  }

  @Test(arguments: ["/log/", "/views/"], [0, 20_000, 60_000])
  func fullDisk_isSaid_andNothingIsLost(place: String, space: Int) async throws {
    try faults.limitSpace(to: place)
    try faults.setSpace(space)
    let outcome = try await sync()
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.count == 1 && outcome.errors[0].contains("full"), "\(outcome)")
    try faults.setSpace(nil)
    try await expectInStep()
  }

  @Test(arguments: [0, 1, 4]) func failedFlush_isSaid_andNothingIsLost(count: Int) async throws {
    try faults.failFlush(after: count)
    let outcome = try await sync()
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.count == 1, "\(outcome)")
    try await expectInStep()
  }

  /// Intents made while the disk is full are refused, and earlier ones are sent afterwards.
  @Test func intents_areRefusedWhereTheDiskIsFull_andSentBehind() async throws {
    try await expectInStep()
    let list = try await Tideline.run("list", path, "--limit", "2").output
    let ids = try list.map { String(try #require($0.split(separator: "[").last).dropLast()) }
    #expect(try await Tideline.run("tag", path, ids[0], "--add", "archive").status == 0)
    try faults.limitSpace(to: "/log/")
    try faults.setSpace(0)
    let words = ["tag", path, ids[1], "--add", "archive"]
    let refused = try await Tideline(words, environment: faults.environment).ended()
    #expect(refused.status == 1 && refused.errors.count == 1, "\(refused)")
    #expect(try await sync().status == 1)
    try faults.setSpace(nil)
    #expect(try await sync().status == 0)
    let state = server.withRouter { router, _ in router.state }.split(separator: "\n")
    let archived = state.filter { $0.hasPrefix("thread ") && $0.contains("archive") }
    #expect(archived.contains { $0.hasPrefix("thread \(ids[0]) ") })
    #expect(!archived.contains { $0.hasPrefix("thread \(ids[1]) ") })
  }
}
