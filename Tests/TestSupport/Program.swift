package import Foundation
import Processes

/// A program of this package, or of the system, run to its end.
package struct Program: Sendable {
  package let executable: URL

  package init(_ executable: URL) { self.executable = executable }

  /// The program of this package with the given name.
  package init(_ name: String) throws(Products.Missing) {
    self.init(URL(fileURLWithPath: try Products.program(name)))
  }

  /// A program that the system finds by its name, the first argument.
  package static let named = Program(URL(fileURLWithPath: "/usr/bin/env"))

  /// How the program ended, and its output.
  package struct Outcome: Sendable {
    package let output: String
    /// `nil` on success.
    package let failure: String?
  }

  /// Runs the program, in a folder if one is given, with these additions to the environment.
  ///
  /// - Parameter takesErrors: Whether the output includes standard error; otherwise standard error
  ///   goes where the test's own goes.
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
