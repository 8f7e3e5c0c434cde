package import Foundation
import TestSupport

/// A program of this package, or of the system, run to its end.
package struct Command: Sendable {
  package let executable: URL

  package init(_ executable: URL) { self.executable = executable }

  /// How it ended, and what it said.
  package struct Outcome: Sendable {
    package let output: String
    /// `nil` where it ended well.
    package let failure: String?
  }

  /// Where the programs of this package are: beside the running tests, wherever they were built.
  package static var products: URL {
    get throws {
      let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(fileURLWithPath: path).deletingLastPathComponent()
    }
  }

  /// Runs it with these additions to the environment.
  package func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Outcome {
    let (process, output) = try Process.begun { process in
      let output = Pipe()
      process.executableURL = executable
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment
        .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        .merging(environment) { $1 }
      process.standardOutput = output
      return output
    }
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: bytes, as: UTF8.self)
    return Outcome(output: text, failure: Self.failure(of: process))
  }

  private static func failure(of process: Process) -> String? {
    switch (process.terminationReason, process.terminationStatus) {
    case (.exit, 0): nil
    case (.uncaughtSignal, let signal): "signal \(signal)"
    case (_, let status): "status \(status)"
    }
  }
}
