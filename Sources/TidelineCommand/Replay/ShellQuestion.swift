import EventStore
import Foundation
import Processes

/// A command of the shell that is asked whether something is so: it fails where it is.
struct ShellQuestion {
  let command: String
  /// The folder that it finds in `TIDELINE_FOLDER`.
  let folder: String
  /// The statuses from here on are the shell's own: it found no command, or a signal ended that.
  private static let foreign: CInt = 126

  /// Whether it is so behind a record, whose number the command finds in `TIDELINE_AT`.
  ///
  /// Where the task is cancelled the command is ended.
  ///
  /// - Throws: ``NoAnswer``; `CancellationError`.
  func isSo(behind number: RecordNumber) async throws -> Bool {
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

/// That a command neither succeeded nor failed.
struct NoAnswer: Error, CustomStringConvertible {
  let description: String

  fileprivate init(number: RecordNumber, _ end: ChildProcess.End) {
    let end =
      switch end {
      case .status(let status): "has status \(status)"
      case .signal(let signal): "was ended by signal \(signal)"
      }
    description =
      "behind #\(number) the command \(end). Have it end with 0, or with 1 to 125 where it is so."
  }
}
