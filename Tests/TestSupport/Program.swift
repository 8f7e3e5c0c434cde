package import Foundation

/// A program of this package, or of the system, run to its end.
package struct Program: Sendable {
  package let executable: URL

  package init(_ executable: URL) { self.executable = executable }

  /// The program of this package that has a name.
  package init(_ name: String) throws(Products.Missing) {
    self.init(URL(fileURLWithPath: try Products.program(name)))
  }

  /// One that the system finds by its name, which is the first of the arguments.
  package static let named = Program(URL(fileURLWithPath: "/usr/bin/env"))

  /// How it ended, and what it said.
  package struct Outcome: Sendable {
    package let output: String
    /// `nil` where it ended well.
    package let failure: String?
  }

  /// Runs it, in a folder where one is said, with these additions to the environment.
  ///
  /// - Parameter takesErrors: Whether what it says of errors is part of what it said; otherwise
  ///   that goes where the test's own goes.
  package func run(
    _ arguments: [String] = [], in folder: String? = nil, environment: [String: String] = [:],
    takesErrors: Bool = false
  ) throws -> Outcome {
    let (process, output) = try Process.begun { process in
      let output = Pipe()
      process.executableURL = executable
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment
        .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        .merging(environment) { $1 }
      if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
      process.standardOutput = output
      if takesErrors { process.standardError = output }
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
