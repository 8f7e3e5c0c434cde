import BenchmarkHarness
import EventStore
import Foundation
import LMDB

/// What a child process of a run does: things that are seen only in a process of its own.
enum Role: String {
  /// Does nothing, and prints how much memory that takes.
  case empty
  /// Appends COUNT records to a raw LMDB in FOLDER, and prints how much memory that takes.
  case appendRaw = "append-raw"
  /// Writes COUNT events to a spool in FOLDER, and prints how much more memory it has after that.
  case appendSpool = "append-spool"

  /// The role of that name.
  static func named(_ name: String) throws -> Role {
    guard let role = Role(rawValue: name) else {
      throw Arguments.Mistake("There is no role \(name); roles are for the benchmarks themselves.")
    }
    return role
  }

  /// Plays the role, then prints one line for the parent.
  func run(_ arguments: [String]) async throws {
    switch self {
    case .empty: Self.printMemory()
    case .appendRaw:
      guard arguments.count == 2, let count = Int(arguments[1]) else {
        throw Arguments.Mistake("\(rawValue) wants FOLDER COUNT.")
      }
      let store = try RawLMDB(in: arguments[0])
      try store.append(Append.payloads, count: count, batch: Append.batch)
      // Measured while the store is open: closing it gives memory back.
      withExtendedLifetime(store) { Self.printMemory() }
    case .appendSpool:
      guard arguments.count == 2, let count = Int(arguments[1]) else {
        throw Arguments.Mistake("\(rawValue) wants FOLDER COUNT.")
      }
      let before = ProcessFile.anonymousKibibytes()
      let spool = try Spool(at: arguments[0] + "/spool")
      try LogCase.write(Append.payloads, count: count, to: spool)
      Self.printMemory(above: before ?? 0)
    }
  }

  private static func printMemory(above base: Int = 0) {
    print(ProcessFile.anonymousKibibytes().map { "\($0 - base)" } ?? "absent")
  }
}

extension Role {
  /// What a child failed with.
  struct Failure: Error { let role: Role, status: CInt }

  /// Starts this executable in the role, and returns what it printed.
  func spawn(_ arguments: String...) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--role", rawValue] + arguments
    process.standardOutput = output
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(role: self, status: process.terminationStatus)
    }
    return String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
