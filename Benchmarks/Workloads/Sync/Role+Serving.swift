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
    // What is measured must not depend on the day.
    plan.temporaryRich = 0
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

/// A server in its own process, which ends with this object.
final class ServerChild: Sendable {
  /// The address of the server.
  let address: URL
  /// The number of its messages.
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

  /// The processor time of the server.
  var processorTime: Duration { ProcessorTime.ofProcess(process.number) }
}

/// The processor time of processes.
enum ProcessorTime {
  /// The processor time of this process.
  static var own: Duration { ofProcess(ProcessInfo.processInfo.processIdentifier) }

  /// Returns the processor time of a process, to the hundredth of a second; zero if the system does
  /// not tell.
  static func ofProcess(_ number: Int32) -> Duration {
    let text = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
    // The process name is in parentheses, and may contain spaces.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      return .zero
    }
    return .milliseconds((user + system) * 10)
  }
}
