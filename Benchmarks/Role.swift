import BenchmarkHarness
import EventStore
import Foundation
import LMDB
import Processes

/// What a child process of a run does: things that are seen only in a process of its own.
enum Role: String {
  /// Does nothing, and prints how much memory that takes.
  case empty
  /// Appends COUNT records to a raw LMDB in FOLDER, and prints how much memory that takes.
  case appendRaw = "append-raw"
  /// Appends COUNT records to the log in FOLDER, one by one, and prints how much memory that takes.
  case appendLog = "append-log"
  /// Writes COUNT events to a spool in FOLDER, and prints how much memory that takes.
  case appendSpool = "append-spool"
  /// Appends COUNT records to the log in FOLDER, a few in a second, each with the time.
  case appendSlowly = "append-slowly"
  /// Follows the log in FOLDER for SECONDS in which nothing happens, and prints how often any of
  /// the threads woke up that began for it.
  case idle
  /// Takes COUNT items into a SQLite mailbox in FOLDER, and prints how much memory that takes.
  case ingestSQLite = "ingest-sqlite"
  /// Opens the SQLite mailbox of COUNT items in FOLDER, and prints how long its first screen took.
  case openSQLite = "open-sqlite"
  /// Opens the store of COUNT items in FOLDER, and prints how long its first screen took.
  case openStore = "open-store"
  /// Marks all COUNT items of the store in FOLDER with one event, and prints how much memory that
  /// took at its height.
  case markAll = "mark-all"
  /// Opens the store of COUNT items in FOLDER, says that it reads, and stops.
  case holdStore = "hold-store"
  /// Opens the inbox of COUNT messages in FOLDER, and prints how much memory it takes with ten
  /// providers open.
  case holdInbox = "hold-inbox"
  /// Serves a mailbox of COUNT threads until it is ended, and prints the port, and how many
  /// messages there are.
  case serveMail = "serve-mail"
  /// Serves COUNT rich messages until it is ended, and prints the port, and how many there are.
  case serveRich = "serve-rich"
  /// Opens the raw LMDB in FOLDER, and prints how long its first COUNT records took.
  case openRaw = "open-raw"

  /// The role of that name.
  static func named(_ name: String) throws -> Role {
    guard let role = Role(rawValue: name) else {
      throw Arguments.Mistake("There is no role \(name); roles are for the benchmarks themselves.")
    }
    return role
  }

  /// Plays the role, then prints one line for the parent.
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
    // Measured while the store is open: closing it gives memory back.
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
    // Swift's runtime has a thread that looks after the others every second; a first sleep has it
    // begin before the log's, which alone are counted.
    try await Task.sleep(for: .milliseconds(50))
    let others = ProcessFile.threads()
    let log = try await Log.open(at: folder)
    try await log.append(LogCase.batch(Append.payloads, 0..<1), durability: .relaxed)
    let follower = Task { for try await _ in log.records(from: 1) {} }
    // The flush that is owed and the threads of the pool that are no longer needed end meanwhile.
    try await Task.sleep(for: .seconds(min(seconds, 12)))
    print(await wakeups(in: seconds, of: ProcessFile.threads().subtracting(others)))
    follower.cancel()
    await log.close()
  }

  /// Counts how often threads wake up while one of its own sleeps.
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
  /// What a child failed with.
  struct Failure: Error { let role: Role, end: ChildProcess.End }

  /// Starts this executable in the role, and returns what it printed.
  func spawn(_ arguments: String...) throws -> String { try spawn(arguments) }

  /// Starts this executable in the role, and returns it with what it prints first.
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

  /// The same, while the task that asks does something else.
  func spawned(_ arguments: String...) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try spawn(arguments) })
      }
    }
  }
}
