import Foundation
import LMDB
import Processes
import Synchronization
import TestSupport

/// Another process that executes commands on a log or store; see the targets `LogWorker` and
/// `StoreWorker`.
final class Worker: Sendable {
  /// The optional settings with which a worker is started.
  struct Surroundings: Sendable {
    var environment: [String: String] = [:]
    /// A command that runs the worker, given the worker's path as the last argument.
    var wrapper: [String] = []
    /// The name of the worker's program.
    var program = "LogWorker"
    /// The file that receives the worker's answers, instead of ``ask(_:)``.
    var output: String?
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  private let process: ChildProcess
  private let input: FileHandle
  private let output: Lines
  /// The file that receives the worker's answers, if any.
  private let file: String?

  var identifier: pid_t { process.number }

  init(_ surroundings: Surroundings = Surroundings()) throws {
    let command = surroundings.wrapper + [try Products.program(surroundings.program)]
    let (input, output) = (Pipe(), Pipe())
    process = try ChildProcess(
      "/usr/bin/env", command,
      environment: ["SWIFT_BACKTRACE": "enable=no"].merging(surroundings.environment) { $1 },
      input: .pipe(input), output: try surroundings.output.map(Self.file) ?? .pipe(output))
    self.input = input.fileHandleForWriting
    file = surroundings.output
    self.output = Lines(output.fileHandleForReading)
  }

  deinit { process.signal(SIGKILL) }

  /// Sends the worker a line.
  func tell(_ line: String) throws { try input.write(contentsOf: Data("\(line)\n".utf8)) }

  /// Sends the worker a line; returns the next line of its answers.
  func ask(_ line: String) async throws -> String {
    try tell(line)
    return try await next()
  }

  /// Returns the next line of the worker's answers.
  func next() async throws -> String {
    guard let line = await output.next() else { throw Failure(description: "the worker is gone") }
    return line
  }

  /// Returns once the worker has written a whole line, or the given one, to its file, or has ended.
  func said(_ line: String? = nil) async throws {
    func isSaid() -> Bool {
      let text = file.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return line.map { lines.contains(Substring($0)) } ?? !lines.isEmpty
    }
    while process.end == nil, !isSaid() { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Returns the megabytes that the worker has mapped, or 0 if the system doesn't say.
  func mappedMegabytes() throws -> Int {
    guard FileManager.default.fileExists(atPath: "/proc/\(identifier)/status") else { return 0 }
    let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmSize:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
  }

  func signal(_ signal: CInt) { process.signal(signal) }

  /// Returns once the worker has ended; says how.
  @discardableResult
  func ended() async -> CInt {
    // A test that is over its time limit must not keep waiting.
    await withTaskCancellationHandler {
      await process.ended()
    } onCancel: {
      process.signal(SIGKILL)
    }.number
  }

  /// Kills the worker, and returns once it is gone.
  func killed() async {
    signal(SIGKILL)
    await ended()
  }

  private static func file(_ path: String) throws -> ChildProcess.Stream {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    return .file(try FileHandle(forWritingTo: URL(fileURLWithPath: path)))
  }
}

/// The lines of a pipe, read outside of the cooperative pool.
private final class Lines: Sendable {
  private let handle: FileHandle
  private let rest = Mutex(Data())

  init(_ handle: FileHandle) { self.handle = handle }

  /// Returns the next line, or `nil` at the end.
  ///
  /// Only one task at a time may call this.
  func next() async -> String? {
    await answered { answer in
      _ = WorkerThread { answer.resume(self.read()) }
    }
  }

  private func read() -> String? {
    while true {
      if let line = take() { return line }
      let data = handle.availableData
      guard !data.isEmpty else { return nil }
      rest.withLock { $0.append(data) }
    }
  }

  private func take() -> String? {
    rest.withLock { rest in
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest = Data(rest[rest.index(after: end)...]) }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
  }
}
