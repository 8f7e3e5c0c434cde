import BenchmarkHarness
import EventStore
import Foundation
import LMDB
import Processes

/// The role of a child process, for work that needs a process of its own.
enum Role: String {
  /// Does nothing, and prints its memory.
  case empty
  /// Appends COUNT records to a raw LMDB in FOLDER, and prints its memory.
  case appendRaw = "append-raw"
  /// Appends COUNT records to the log in FOLDER, one by one, and prints its memory.
  case appendLog = "append-log"
  /// Writes COUNT events to a spool in FOLDER, and prints its memory.
  case appendSpool = "append-spool"
  /// Appends COUNT records with the current time to the log in FOLDER, one every 20 ms.
  case appendSlowly = "append-slowly"
  /// Follows an idle log in FOLDER for SECONDS, and prints how often the threads started for it
  /// woke up.
  case idle
  /// Ingests COUNT items into a SQLite mailbox in FOLDER, and prints its memory.
  case ingestSQLite = "ingest-sqlite"
  /// Opens the SQLite mailbox of COUNT items in FOLDER, and prints the time to the first screen.
  case openSQLite = "open-sqlite"
  /// Opens the store of COUNT items in FOLDER, and prints the time to the first screen.
  case openStore = "open-store"
  /// Marks all COUNT items of the store in FOLDER with one event, and prints the peak memory.
  case markAll = "mark-all"
  /// Opens the store of COUNT items in FOLDER, announces that it is reading, and stops.
  case holdStore = "hold-store"
  /// Opens the inbox of COUNT messages in FOLDER, and prints its memory with ten open providers.
  case holdInbox = "hold-inbox"
  /// Serves a mailbox of COUNT threads until it is ended; prints the port and the number of
  /// messages.
  case serveMail = "serve-mail"
  /// Serves COUNT rich messages until it is ended; prints the port and their number.
  case serveRich = "serve-rich"
  /// Opens the raw LMDB in FOLDER, and prints the time to read its first COUNT records.
  case openRaw = "open-raw"

  /// Returns the role with a name.
  static func named(_ name: String) throws -> Role {
    guard let role = Role(rawValue: name) else {
      throw Arguments.Mistake("There is no role \(name); roles are for the benchmarks themselves.")
    }
    return role
  }

  /// Plays the role; most roles then print one line for the parent.
  func run(_ arguments: [String]) async throws {
    if self == .empty { return Self.printMemory() }
    guard arguments.count == 2, let count = Int(arguments[1]) else {
      throw Arguments.Mistake("\(rawValue) wants FOLDER and a number.")
    }
    switch self {
    case .empty: break
    case .appendRaw: try Self.appendRaw(arguments[0], count)
    case .appendLog: try await Self.appendLog(arguments[0], count)
    case .appendSpool: try Self.appendSpool(arguments[0], count)
    case .appendSlowly: try await Self.appendSlowly(arguments[0], count)
    case .idle: try await Self.idle(arguments[0], seconds: count)
    case .ingestSQLite: try Self.ingestSQLite(arguments[0], count)
    case .openSQLite: try Self.openSQLite(arguments[0], count)
    case .openStore: try await Self.openStore(arguments[0], count)
    case .markAll: try await Self.markAllRead(arguments[0], count)
    case .holdStore: try await Self.holdStore(arguments[0], count)
    case .holdInbox: try await Self.holdInbox(arguments[0], count)
    case .serveMail: try await Self.serve(threads: count, richMessages: 0)
    case .serveRich: try await Self.serve(threads: 0, richMessages: count)
    case .openRaw: try Self.openRaw(arguments[0], count)
    }
  }

  private static func appendRaw(_ folder: String, _ count: Int) throws {
    let store = try RawLMDB(in: folder)
    try store.append(Append.payloads, count: count, batch: Append.batch)
    // Measured while the store is open, because closing it frees memory.
    withExtendedLifetime(store) { printMemory() }
  }

  private static func appendLog(_ folder: String, _ count: Int) async throws {
    let log = try await Log.open(at: folder)
    for index in 0..<count {
      try await log.append(LogCase.batch(Append.payloads, index..<(index + 1)))
    }
    withExtendedLifetime(log) { printMemory() }
  }

  private static func appendSpool(_ folder: String, _ count: Int) throws {
    let spool = try Spool(at: folder + "/spool")
    try LogCase.write(Append.payloads, count: count, to: spool)
    withExtendedLifetime(spool) { printMemory() }
  }

  private static func appendSlowly(_ folder: String, _ count: Int) async throws {
    let log = try await Log.open(at: folder)
    for _ in 0..<count {
      try await Task.sleep(for: .milliseconds(20))
      var batch = Batch()
      batch.add(LogCase.event, payload: unsafe Clock.bytes.span.bytes)
      try await log.append(batch)
    }
    await log.close()
  }

  private static func idle(_ folder: String, seconds: Int) async throws {
    // Swift's runtime has a thread that checks on the others every second. A first sleep starts it
    // before the log's threads, which alone are counted.
    try await Task.sleep(for: .milliseconds(50))
    let others = ProcessFile.threads()
    let log = try await Log.open(at: folder)
    try await log.append(LogCase.batch(Append.payloads, 0..<1), durability: .relaxed)
    let follower = Task { for try await _ in log.records(from: 1) {} }
    // Meanwhile the pending flush and unneeded threads of the pool end.
    try await Task.sleep(for: .seconds(min(seconds, 12)))
    print(await wakeups(in: seconds, of: ProcessFile.threads().subtracting(others)))
    follower.cancel()
    await log.close()
  }

  /// Counts how often threads wake up, while a thread of its own sleeps.
  private static func wakeups(in seconds: Int, of threads: Set<String>) async -> Int {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let before = ProcessFile.wakeups(of: threads)
        Thread.sleep(forTimeInterval: Double(seconds))
        let after = ProcessFile.wakeups(of: threads)
        continuation.resume(
          returning: after.reduce(0) { $0 + $1.value - before[$1.key, default: 0] })
      }
    }
  }

  static func printMemory() {
    print(ProcessFile.anonymousKibibytes().map(String.init) ?? "absent")
  }
}

extension Role {
  /// The failure of a child.
  struct Failure: Error { let role: Role, end: ChildProcess.End }

  /// Starts this executable in the role, and returns its output.
  func spawn(_ arguments: String...) throws -> String { try spawn(arguments) }

  /// Starts this executable in the role, and returns it with its first output.
  func start(_ arguments: String...) throws -> (process: ChildProcess, line: String) {
    let (process, output) = try run(arguments)
    let data = output.fileHandleForReading.availableData
    guard !data.isEmpty else {
      throw Failure(role: self, end: process.waitForEnd())
    }
    return (process, String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines))
  }

  private func run(_ arguments: [String]) throws -> (ChildProcess, Pipe) {
    let output = Pipe()
    let process = try ChildProcess(
      Bundle.main.executablePath ?? CommandLine.arguments[0], ["--role", rawValue] + arguments,
      output: .pipe(output))
    return (process, output)
  }

  private func spawn(_ arguments: [String]) throws -> String {
    let (process, output) = try run(arguments)
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let end = process.waitForEnd()
    guard end == .status(0) else { throw Failure(role: self, end: end) }
    return String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Starts this executable in the role as `spawn` does, without blocking the task.
  func spawned(_ arguments: String...) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try spawn(arguments) })
      }
    }
  }
}
