import EventStore
import LMDB

/// `tideline log`: shows records.
struct LogCommand: Subcommand {
  static let usage = Usage(
    name: "log", folders: ["FOLDER"], flags: ["--json", "--follow", "--count"],
    numbers: [
      "--from": 1...UInt64.max, "--record": 1...UInt64.max, "--intent": 1...UInt64.max,
      "--account": 0...UInt64(UInt32.max),
    ],
    texts: [
      "--kind": "KINDS", "--entity": "NAME", "--origin": "ORIGIN", "--text": "TEXT",
      "--after": "TIME", "--before": "TIME",
    ])
  static let help = """
    Lists the records of the log in FOLDER, or of the store there, one per line: number, time,
    kind, origin, payload size, and the content: what an inbox's event says, or the text or fields
    of any other, as far as they fit. Nothing is written to the log. Damaged records are skipped
    and named on standard error.

      --from N         start at record N
      --kind KINDS     only these kinds, by number or name, separated by commas
      --entity NAME    only records about one entity, as in threads/1/t1, or its digits in a header
      --account N      only records made under a login of account N
      --origin ORIGIN  only facts or only intents
      --intent N       the intent in record N and the records that refer to it: attempts and outcome
      --after TIME     recorded at TIME or later, such as 2026-11-22T09:00:00Z, 10:15 or -2h
      --before TIME    recorded at TIME or earlier
      --text TEXT      only records whose payload contains TEXT
      --count          print the number of records of each kind instead
      --record N       print record N in full, with its bytes
      --json           print each record in full, as a JSON object per line
      --follow         keep printing records as any process appends them, until interrupted

    Examples:
      tideline log notes --from 100
      tideline log inbox --kind MarkRead --after -1h --follow
      tideline log inbox --entity message/1/m1 --json | jq .payload
      tideline log inbox --origin intent --count
      tideline log inbox --intent 98
    """

  private let folder: String
  private let request: LogRequest

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    request = LogRequest(arguments)
  }

  func check() throws(Mistake) { try request.check() }

  func run() async throws -> ExitStatus {
    try await Log.withLog(at: folder, readOnly: true) { log in
      try await Interruption.ending { try await show(log) }
    }
  }

  private func show(_ log: Log) async throws -> ExitStatus {
    if let number = request.record { return try showWhole(number, of: log) }
    let filter = try request.filter(of: log)
    if request.counts { return try count(log, filter) }
    return try await request.follows ? follow(log, filter) : list(log, filter)
  }

  /// Shows records up to the current last one.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, once what was found is shown.
  private func list(_ log: Log, _ filter: RecordFilter) throws -> ExitStatus {
    let first = request.first ?? (log.hasBaseline ? nil : log.floor.advanced(by: 1))
    var search = RecordSearch(log, matching: filter, from: first)
    var (output, status) = (Output(isJSON: request.isJSON), ExitStatus.done)
    while let part = try search.part() {
      for found in part { try show(found, &output, &status) }
      if Task.isCancelled { break }
    }
    try output.flush()
    try Task.checkCancellation()
    return status
  }

  /// Shows records until the task is cancelled.
  private func follow(_ log: Log, _ filter: RecordFilter) async throws -> ExitStatus {
    var next = request.first ?? (log.hasBaseline ? 1 : log.floor.advanced(by: 1))
    var records = log.records(from: next).makeAsyncIterator()
    var (output, status) = (Output(isJSON: request.isJSON), ExitStatus.done)
    while true {
      do {
        guard let record = try await records.next() else { break }
        next = record.number.advanced(by: 1)
        if filter.matches(record) { try show(.success(record), &output, &status) }
      } catch let error as LogError {
        guard case .damagedRecord(let number, _) = error else { throw error }
        next = number.advanced(by: 1)
        try show(.failure(error), &output, &status)
      }
      // Output is flushed when no more records are available, and batched otherwise.
      if try next > log.last { try output.flush() }
    }
    try output.flush()
    return status
  }

  private func show(
    _ found: Result<Record, LogError>, _ output: inout Output, _ status: inout ExitStatus
  ) throws {
    switch found {
    case .success(let record):
      if request.asks(for: record) { try output.show([record.line], json: record.json()) }
    case .failure(let error):
      status = .failed
      Output.complain("tideline: \(error)")
    }
  }
}

extension LogCommand {
  /// Shows the number of records of each kind.
  private func count(_ log: Log, _ filter: RecordFilter) throws -> ExitStatus {
    let tally = try KindTally(log, filter, from: request.first, request.asks)
    try Output.show(tally.lines, json: tally.json, isJSON: request.isJSON)
    if tally.damaged > 0 { Damage.complain(of: tally.damaged, in: folder) }
    return tally.damaged == 0 ? .done : .failed
  }

  /// Shows a whole record.
  private func showWhole(_ number: RecordNumber, of log: Log) throws -> ExitStatus {
    let record = try log.read { snapshot throws(LogError) in try snapshot.record(number) }
    guard let record else { throw LogError.damagedRecord(number, .absent) }
    try Output.show(record.page, json: record.json(), isJSON: request.isJSON)
    return .done
  }
}
