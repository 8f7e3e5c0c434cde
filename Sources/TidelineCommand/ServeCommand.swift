import EventStore
import LMDB
import Tideline
import TidelineServer
import TidelineSimulator
import TidelineSync

/// `tideline serve`: simulates the servers of a mailbox and of a rich inbox.
struct ServeCommand: Subcommand {
  static let usage = Usage(
    name: "serve", folders: [], flags: ["--engage"],
    numbers: [
      "--port": 0...65_535, "--threads": 0...1_000_000, "--rich": 0...100_000,
      "--seed": 0...UInt64.max, "--traffic": 0...1000,
    ],
    texts: ["--alerts": "FILE", "--token": "TOKEN"])
  static let help = """
    Simulates the servers of a mailbox and of a rich inbox on a local port that no other machine
    can reach, until interrupted. It prints its address once it listens. The same seed gives the
    same mail. All later changes are lost when the process ends.

      --port N        the port (default: any free one)
      --threads N     the number of mail threads (default 2,000)
      --rich N        the number of rich messages (default 300)
      --engage        make the rich inbox one of Mapp Engage, not of Marketing Cloud
      --seed N        the seed from which everything is generated (default 1)
      --traffic N     the number of changes per second that no client makes (default 0)
      --alerts FILE   append the pushes of rich messages to FILE, a line of JSON each
      --token TOKEN   what clients must present: the name in Basic, or the token in Bearer
                      (default tideline)

    Examples:
      tideline serve --port 8080 --traffic 5 --alerts pushes.jsonl
      curl -u tideline: 'http://127.0.0.1:8080/threads?limit=2'
      curl -d '{"path": "/delta", "status": 503}' http://127.0.0.1:8080/_tideline/faults
      curl http://127.0.0.1:8080/_tideline/state
    """

  private var plan = ServerPlan()
  private let port: UInt16
  private let traffic: Int
  private let alerts: String?

  init(_ arguments: Arguments) {
    port = UInt16(arguments.number("--port") ?? 0)
    traffic = Int(arguments.number("--traffic") ?? 0)
    alerts = arguments.text("--alerts")
    plan.threads = arguments.number("--threads").map(Int.init) ?? plan.threads
    plan.richMessages = arguments.number("--rich").map(Int.init) ?? plan.richMessages
    plan.seed = arguments.number("--seed") ?? plan.seed
    plan.token = arguments.text("--token").map { Token($0) } ?? plan.token
    if arguments.has("--engage") { plan.manner = .engage }
  }

  func run() async throws -> ExitStatus {
    try await Interruption.ending {
      let server = try start()
      defer { server.stop() }
      var output = Output()
      try output.line(server.address)
      try output.flush()
      await server.runTraffic(perSecond: traffic)
      return .done
    }
  }

  private func start() throws -> EmbeddedServer {
    let file = try alerts.map(AlertFile.init)
    let router = Router(plan, incarnation: Int(Timestamp.now.rawValue)) { file?.append($0) }
    return try EmbeddedServer(router, port: port) { .now }
  }
}

/// A file of alerts, one per line.
private final class AlertFile: Sendable {
  private let path: String

  /// Creates the file if it is missing.
  init(_ path: String) throws(LMDBError) {
    self.path = path
    try ByteStream.append([], to: path)
  }

  /// Appends a line, which readers see at once.
  func append(_ line: String) {
    do throws(LMDBError) {
      try ByteStream.append(Array("\(line)\n".utf8), to: path)
    } catch {
      Output.complain("tideline: an alert was lost: \(error)")
    }
  }
}
