import EventStore
import Foundation
import LMDB
import Tideline
import TidelineServer
import TidelineSimulator
import TidelineSync

/// `tideline demo`: shows what an inbox does, in under a minute.
struct DemoCommand: Subcommand {
  static let usage = Usage(
    name: "demo", folders: [],
    numbers: ["--threads": 10...100_000, "--rich": 5...10_000, "--seed": 0...UInt64.max])
  static let help = """
    Starts the servers of a mailbox and of a rich inbox, synchronizes a store with them, and shows
    what happens: a process is killed, mail arrives, an alert precedes its message, actions are
    taken offline, the server rejects a change, an outbox drains. At the end, the views are
    compared with the log, and the inboxes with the servers; the exit status is 1 if they differ.

      --threads N   the number of mail threads (default 2,000)
      --rich N      the number of rich messages (default 300)
      --seed N      the seed from which everything is generated (default 1)

    Example:
      tideline demo --threads 200
    """

  private var plan = ServerPlan()

  init(_ arguments: Arguments) {
    plan.threads = arguments.number("--threads").map(Int.init) ?? plan.threads
    plan.richMessages = arguments.number("--rich").map(Int.init) ?? plan.richMessages
    plan.seed = arguments.number("--seed") ?? plan.seed
    plan.manner = .engage
  }

  func run() async throws -> ExitStatus {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "tideline-demo-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Folder(folder.path).make()
    let (plan, alerts) = (plan, Alerts())
    return try await Interruption.ending {
      let server = try EmbeddedServer(Router(plan) { alerts.add($0) }) { .now }
      defer { server.stop() }
      let stage = DemoStage(server, alerts, plan, folder.path)
      return try await stage.play()
    }
  }
}
