import EventStore
import Foundation
import Processes

/// A shell command that tells whether a condition holds: it fails if so.
struct ShellQuestion {
  let command: String
  /// The folder passed in `TIDELINE_FOLDER`.
  let folder: String
  /// The first status of the shell's own: a command was not found, or a signal ended it.
  private static let foreign: CInt = 126

  /// Returns whether the condition holds after a record, whose number is passed in `TIDELINE_AT`.
  ///
  /// Cancelling the task ends the command.
  ///
  /// - Throws: ``NoAnswer``; `CancellationError`.
  func isSo(after number: RecordNumber) async throws -> Bool {
    let process = try ChildProcess(
      "/bin/sh", ["-c", command],
      environment: ["TIDELINE_AT": "\(number)", "TIDELINE_FOLDER": folder],
      input: .nothing, output: .nothing)
    let end = await withTaskCancellationHandler {
      await process.ended()
    } onCancel: {
      process.signal(SIGTERM)
    }
    try Task.checkCancellation()
    guard case .status(let status) = end, status < Self.foreign else {
      throw NoAnswer(number: number, end)
    }
    return status != 0
  }
}

/// The error that a command neither succeeded nor failed.
struct NoAnswer: Error, CustomStringConvertible {
  let description: String

  fileprivate init(number: RecordNumber, _ end: ChildProcess.End) {
    let end =
      switch end {
      case .status(let status): "exited with status \(status)"
      case .signal(let signal): "was killed by signal \(signal)"
      }
    description =
      "after #\(number) the command \(end). It must exit with 1 to 125 if it is true, otherwise 0."
  }
}
