import EventStore
import LMDB

/// `tideline append`: appends each line of standard input as an event.
struct AppendCommand: Subcommand {
  static let usage = Usage(
    name: "append", folders: ["FOLDER"],
    numbers: ["--kind": 0...UInt64(EventKind.lost.rawValue) - 1])
  static let help = """
    Appends each line of standard input to the log in FOLDER, creating the folder if needed, and
    prints each record's number once the record is on disk. Lines that arrive together share a
    commit. A line becomes field 1 of an intent of kind N (default 1), recorded now.

    Examples:
      echo "Lunch?" | tideline append notes
      tideline append notes --kind 7 < lines.txt
    """

  private let folder: String
  private let kind: EventKind

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    kind = EventKind(rawValue: UInt16(arguments.number("--kind") ?? 1))
  }

  func run() async throws -> ExitStatus {
    try Folder(folder).make()
    return try await Log.withLog(at: folder) { log in
      try await appendLines(to: log)
      return .done
    }
  }

  private func appendLines(to log: Log) async throws {
    var lines = Lines()
    var output = Output()
    while let arrived = try await lines.next() {
      for number in try await log.append(batch(of: arrived)) { try output.line("\(number)") }
      try output.flush()
    }
  }

  private func batch(of lines: [String]) -> Batch {
    var batch = Batch()
    let event = Event(kind: kind, origin: .intent, recordedAt: .now)
    for line in lines { batch.add(event) { $0.put(1, line) } }
    return batch
  }
}
