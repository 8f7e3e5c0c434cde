import EventStore
import Foundation

/// A command of the shell that is asked whether something is so: it fails where it is.
struct ShellQuestion {
  let command: String
  /// The folder that it finds in `TIDELINE_FOLDER`.
  let folder: String
  /// The statuses from here on are the shell's own: it found no command, or a signal ended that.
  private static let foreign: Int32 = 126

  /// Whether it is so behind a record, whose number the command finds in `TIDELINE_AT`.
  ///
  /// Where the task is cancelled the command is ended.
  ///
  /// - Throws: ``NoAnswer``; `CancellationError`.
  func isSo(behind number: RecordNumber) async throws -> Bool {
    let process = process(at: number)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
        process.terminationHandler = { _ in ended.resume() }
        do { try process.run() } catch { ended.resume(throwing: error) }
        if Task.isCancelled { Self.end(process) }
      }
    } onCancel: {
      Self.end(process)
    }
    try Task.checkCancellation()
    guard process.terminationReason == .exit, process.terminationStatus < Self.foreign else {
      throw NoAnswer(number: number, process)
    }
    return process.terminationStatus != 0
  }

  private func process(at number: RecordNumber) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "TIDELINE_AT": "\(number)", "TIDELINE_FOLDER": folder,
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    return process
  }

  /// Ends a process, and those that it began where they are a group to themselves.
  private static func end(_ process: Process) {
    guard process.isRunning else { return }
    if kill(-process.processIdentifier, SIGTERM) != 0 { process.terminate() }
  }
}

/// That a command neither succeeded nor failed.
struct NoAnswer: Error, CustomStringConvertible {
  let description: String

  fileprivate init(number: RecordNumber, _ process: Process) {
    let status = process.terminationStatus
    let isExit = process.terminationReason == .exit
    let end = isExit ? "has status \(status)" : "was ended by signal \(status)"
    description =
      "behind #\(number) the command \(end). Have it end with 0, or with 1 to 125 where it is so."
  }
}
