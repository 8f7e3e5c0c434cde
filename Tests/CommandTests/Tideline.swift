import Foundation
import LMDB
import Processes
import Synchronization
import TestSupport

/// A run of the `tideline` command.
final class Tideline: Sendable {
  /// The outcome of a run.
  struct Outcome: Equatable {
    /// The exit status, or the number of the signal that ended the run.
    var status: CInt = 0
    var output: [String] = []
    var errors: [String] = []
  }

  private let process: ChildProcess
  private let output: FileHandle
  private let errors: FileHandle
  private let unread = Mutex(Data())
  private let unreadErrors = Mutex(Data())

  /// Starts the command with `input` to read and `environment` added to this process's environment.
  init(
    _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
  ) throws {
    let (output, errors, reading) = (Pipe(), Pipe(), Pipe())
    // The input fits into a pipe without a reader, so nobody has to wait.
    precondition(input.count < 1 << 16)
    try reading.fileHandleForWriting.write(contentsOf: input)
    process = try ChildProcess(
      Products.program("tideline"), arguments, environment: environment,
      input: .pipe(reading), output: .pipe(output), errors: .pipe(errors))
    try reading.fileHandleForWriting.close()
    self.output = output.fileHandleForReading
    self.errors = errors.fileHandleForReading
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.secondsMax) { [weak process] in
      process?.signal(SIGKILL)
    }
  }

  /// The time after which a run is killed, so that a test fails rather than hangs; no run takes so
  /// long, even on a busy machine.
  private static let secondsMax = 600.0

  deinit { process.signal(SIGKILL) }

  /// Runs the command to its end.
  static func run(_ arguments: String..., input: String = "") async throws -> Outcome {
    try await Tideline(arguments, input: Data(input.utf8)).ended()
  }

  /// The next line of output, or `nil` at the end; for one task at a time.
  func next() async -> String? {
    await answered { answer in
      _ = WorkerThread { answer.resume(Self.read(self.output, self.unread)) }
    }
  }

  /// Reads output up to a line that matches, and acts at once on the thread that has read it, as a
  /// task would have to wait for its turn.
  ///
  /// Returns the line, or `nil` at the end; for one task at a time.
  @discardableResult
  func next(
    where isIt: @escaping @Sendable (String) -> Bool,
    _ act: @escaping @Sendable (Tideline) -> Void
  ) async -> String? {
    await answered { answer in
      _ = WorkerThread {
        var line = Self.read(self.output, self.unread)
        while let read = line, !isIt(read) { line = Self.read(self.output, self.unread) }
        if line != nil { act(self) }
        answer.resume(line)
      }
    }
  }

  /// The next line of error output, or `nil` at the end; for one task at a time.
  func nextError() async -> String? {
    await answered { answer in
      _ = WorkerThread { answer.resume(Self.read(self.errors, self.unreadErrors)) }
    }
  }

  func interrupt() { signal(SIGINT) }

  func signal(_ number: CInt) { process.signal(number) }

  /// Kills the process, which can't prevent it.
  func kill() { process.signal(SIGKILL) }

  /// Closes its output, so that the process writes to nobody.
  func stopReading() throws { try output.close() }

  /// Waits for the end and returns the outcome, with the lines that weren't read before.
  func ended() async throws -> Outcome {
    var outcome = Outcome(status: await process.ended().number)
    while let line = await next() { outcome.output.append(line) }
    outcome.errors = String(decoding: errors.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    return outcome
  }

  private static func read(_ file: FileHandle, _ unread: borrowing Mutex<Data>) -> String? {
    while true {
      if let line = take(unread) { return line }
      guard let data = try? file.read(upToCount: 1), !data.isEmpty else { return nil }
      unread.withLock { $0.append(data) }
    }
  }

  private static func take(_ unread: borrowing Mutex<Data>) -> String? {
    unread.withLock { unread in
      guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { unread = Data(unread[unread.index(after: end)...]) }
      return String(decoding: unread[..<end], as: UTF8.self)
    }
  }
}
