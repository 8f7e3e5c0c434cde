import EventStore

/// Reports of damaged, lost or missing records that the shown output lacks.
enum Damage {
  /// The maximum number named.
  private static let namedMax = 5

  /// Runs `body`, which shows something of a log, and then reports the records that its output
  /// lacks, even if it fails, unless the task is cancelled.
  ///
  /// Those are the damaged and lost records among the left-out events, and records missing before
  /// the first. A damaged record makes an otherwise successful run fail.
  static func status(
    of log: Log, in folder: String, leavingOut refused: () throws -> [RefusedEvent],
    _ body: () async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let result: Result<ExitStatus, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    guard !Task.isCancelled else { return try result.get() }
    let left = Result { try refused() }
    // These may be the reason why `body` did not find something.
    let isWhole = say((try? left.get()) ?? [], of: log, in: folder)
    let status = try result.get()
    _ = try left.get()
    return isWhole || status != .done ? status : .failed
  }

  /// Reports the left-out records; returns whether none is damaged.
  private static func say(_ refused: [RefusedEvent], of log: Log, in folder: String) -> Bool {
    sayMissing(from: log, leavingOut: refused)
    var (damaged, lost): ([RefusedEvent], [ClosedRange<RecordNumber>]) = ([], [])
    for event in refused {
      if event.reason == RefusedEvent.endedProcess {
        Output.complain(
          "tideline: The output leaves out record \(event.number), as the views do. "
            + event.reason)
        continue
      }
      let record = (try? log.read { snapshot in try snapshot.record(event.number) }) ?? nil
      switch record?.header.kind {
      case nil: damaged.append(event)
      case .lost: if event.number > log.floor { lost.add(event.number) }
      // The reducer refused these readable records.
      default: continue
      }
    }
    say(lost, in: folder)
    for event in damaged.prefix(namedMax) {
      Output.complain("tideline: \(event.reason) The output leaves it out.")
    }
    let left = damaged.count - namedMax
    if left > 0 { complain(of: left, in: folder) }
    return damaged.isEmpty
  }

  /// Reports the number of damaged records that were not named.
  static func complain(of count: Int, in folder: String) {
    let records = count == 1 ? "1 record is" : "\(count) records are"
    Output.complain("tideline: \(records) damaged and left out; see: tideline check \(folder)")
  }

  /// Reports lost records, which cannot be recovered.
  private static func say(_ lost: [ClosedRange<RecordNumber>], in folder: String) {
    guard !lost.isEmpty else { return }
    let count = lost.reduce(0) { $0 + $1.lowerBound.distance(to: $1.upperBound) + 1 }
    let named = lost.prefix(namedMax).map { range in
      range.lowerBound == range.upperBound
        ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
    let more = lost.count > namedMax ? " and others" : ""
    Output.complain(
      "tideline: \(count == 1 ? "1 record was" : "\(count) records were") lost: "
        + "\(named.joined(separator: ", "))\(more). The output leaves "
        + "\(count == 1 ? "it" : "them") out; see: tideline log \(folder) --kind lost")
  }

  /// Reports a log that lacks its beginning without a baseline in its place, or with one that
  /// stands for a part of it.
  private static func sayMissing(from log: Log, leavingOut refused: [RefusedEvent]) {
    let floor = log.floor
    guard floor > .zero else { return }
    if !log.hasBaseline {
      Output.complain(
        "tideline: records up to \(floor) are missing, and no baseline replaces them. The output "
          + "leaves them out.")
    } else if refused.contains(where: { $0.number <= floor && isLost($0.number, in: log) }) {
      Output.complain(
        "tideline: some records up to \(floor) are missing. The output leaves them out.")
    }
  }

  private static func isLost(_ number: RecordNumber, in log: Log) -> Bool {
    let record = try? log.read { snapshot in try snapshot.record(number) }
    return (record ?? nil)?.header.kind == .lost
  }
}
