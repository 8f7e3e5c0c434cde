import EventStore

/// `tideline log`: shows records.
struct LogCommand: Subcommand {
  static let usage = Usage(
    name: "log", folders: ["FOLDER"], flags: ["--json", "--follow"],
    numbers: ["--from": 1...UInt64.max])
  static let help = """
    Shows the records of the log in FOLDER, or those from number N on, a line each: its number,
    time, kind, origin, the bytes of its payload, and its text or fields as far as there is room.
    Nothing is written to the log. A damaged record is named on standard error, and passed over.

      --json     all of each record, as a JSON object on a line
      --follow   goes on with what is appended, by whichever process, until interrupted

    Examples:
      tideline log notes --from 100
      tideline log notes --json | jq .payload
      tideline log notes --follow
    """

  private let folder: String
  private let first: RecordNumber?
  private let isJSON: Bool
  private let follows: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    first = arguments.number("--from").map(RecordNumber.init(rawValue:))
    isJSON = arguments.has("--json")
    follows = arguments.has("--follow")
  }

  func run() async throws -> ExitStatus {
    try await Log.withLog(at: folder, readOnly: true) { log in
      try await follows ? Interruption.ending { try await show(log) } : show(log)
    }
  }

  /// Shows records up to the last there is now, or until the task is cancelled.
  private func show(_ log: Log) async throws -> ExitStatus {
    let end = follows ? RecordNumber(rawValue: .max) : try log.last
    var next = first ?? (log.hasBaseline ? 1 : log.floor.advanced(by: 1))
    var records = log.records(from: next).makeAsyncIterator()
    var (output, status) = (Output(), ExitStatus.done)
    while next <= end {
      do {
        guard let record = try await records.next() else { break }
        next = record.number.advanced(by: 1)
        try output.line(isJSON ? record.json() : record.line)
      } catch LogError.damagedRecord(let number, let damage) {
        next = number.advanced(by: 1)
        status = .failed
        Output.complain("tideline: \(LogError.damagedRecord(number, damage))")
      }
      // What stands still must be seen; while there is more, it is shown together.
      if try next > log.last { try output.flush() }
    }
    try output.flush()
    return status
  }
}
