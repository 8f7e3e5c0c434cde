import BenchmarkHarness
import EventStore
import Foundation
import Processes
import Tideline
import TidelineServer
import TidelineSimulator

extension Role {
  /// Serves until the process is ended.
  static func serve(threads: Int, richMessages: Int) async throws {
    var plan = ServerPlan()
    (plan.threads, plan.richMessages, plan.manner) = (threads, richMessages, .engage)
    let server = try EmbeddedServer(Router(plan)) {
      Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000))
    }
    let count = server.withRouter { router, _ in
      threads > 0 ? router.messageCount : router.state.split(separator: "\n").count
    }
    try FileHandle.standardOutput.write(contentsOf: Data("\(server.port) \(count)\n".utf8))
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}

/// A server in a process of its own, which ends with this.
final class ServerChild: Sendable {
  /// Where it is.
  let address: URL
  /// How many messages it has.
  let count: Int
  private let process: ChildProcess

  init(_ role: Role, _ size: Int, in folder: String) throws {
    let (process, line) = try role.start(folder, String(size))
    self.process = process
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 2, let address = URL(string: "http://127.0.0.1:\(numbers[0])") else {
      throw Role.Failure(role: role, end: .status(0))
    }
    (self.address, count) = (address, numbers[1])
  }

  deinit { process.signal(SIGTERM) }

  /// The time of processors that it took.
  var processorTime: Duration { ProcessorTime.ofProcess(process.number) }
}

/// How long processors worked.
enum ProcessorTime {
  /// For this process.
  static var own: Duration { ofProcess(ProcessInfo.processInfo.processIdentifier) }

  /// For a process, to the hundredth of a second; none where the system doesn't say.
  static func ofProcess(_ number: Int32) -> Duration {
    let text = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
    // The name, which may hold spaces, is in parentheses.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      return .zero
    }
    return .milliseconds((user + system) * 10)
  }
}
