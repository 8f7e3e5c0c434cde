package import Foundation
import Processes

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
    let output = Pipe()
    let process = try ChildProcess(
      executable.path, arguments,
      environment: ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }, in: folder,
      output: .pipe(output), errors: takesErrors ? .pipe(output) : .own)
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    let end = process.waitForEnd()
    return Outcome(
      output: String(decoding: bytes, as: UTF8.self),
      failure: end == .status(0) ? nil : "\(end)")
  }
}
