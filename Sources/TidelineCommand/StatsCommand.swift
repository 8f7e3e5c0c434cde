import EventStore
import LMDB
import Tideline

/// `tideline stats`: shows statistics of a log.
struct StatsCommand: Subcommand {
  static let usage = Usage(name: "stats", folders: ["FOLDER"], flags: ["--json"])
  static let help = """
    Prints statistics of the log in FOLDER, or of the store there: the records and bytes of each
    kind, how many records there are over time, how much of the file is unused, and about how much
    was written for each byte of a record.

      --json   print all of it as a JSON object

    Examples:
      tideline stats inbox
      tideline stats inbox --json | jq .kinds
    """

  private let folder: String
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    isJSON = arguments.has("--json")
  }

  func run() async throws -> ExitStatus {
    try await Log.withLog(at: folder, readOnly: true) { log in
      try await Interruption.ending { try show(log) }
    }
  }

  private func show(_ log: Log) throws -> ExitStatus {
    let bar = ProgressBar("records", of: Int(clamping: try log.last.rawValue), on: .errors)
    let found = try log.statistics { done in
      try? bar.show(done)
      return !Task.isCancelled
    }
    try Task.checkCancellation()
    try bar.end()
    try Output.show(found.lines, json: found.json, isJSON: isJSON)
    return found.damaged == 0 ? .done : .failed
  }
}

extension LogStatistics {
  /// The kinds, by descending number of bytes.
  private var ranked: [(kind: EventKind, sum: Sum)] {
    kinds.map { ($0.key, $0.value) }.sorted {
      let (a, b) = ($0.1.headerBytes + $0.1.payloadBytes, $1.1.headerBytes + $1.1.payloadBytes)
      return (b, $0.0.rawValue) < (a, $1.0.rawValue)
    }
  }

  /// The mean number of records per day, by their own clocks.
  private var recordsPerDay: Double? {
    guard let earliest, let latest, latest > earliest else { return nil }
    let milliseconds = Double(latest.rawValue) - Double(earliest.rawValue)
    return Double(all.records) * 86_400_000 / milliseconds
  }

  /// The statistics for people.
  var lines: [String] {
    var lines = [
      "records        \(all.records), the last \(last)",
      "               \(intents) intents, \(erased) erased, \(damaged) damaged",
      "baseline       \(baseline.records) records up to \(floor)",
      "bytes          \(all.headerBytes) of headers, \(all.payloadBytes) of payloads",
      "file           \(pages) pages of \(pageBytes): "
        + "\(recordPages) of records, \(otherPages) other",
      "for each byte  \(Self.text(spaceAmplification)) in the file, "
        + "about \(Self.text(writeAmplification)) written in \(commits) commits",
    ]
    if let earliest, let latest {
      lines.append("time           \(earliest) to \(latest)")
      lines.append(
        "rate           \(Self.text(recordsPerDay)) records a day, "
          + "\(busiestHour) in the busiest hour"
      )
    }
    lines.append("kind                          records        bytes   bytes each")
    for (kind, sum) in ranked {
      let bytes = sum.headerBytes + sum.payloadBytes
      let name = EventCatalog.name(of: kind) ?? "kind \(kind.rawValue)"
      lines.append(
        name.rightPadded(to: 24) + "\(sum.records)".leftPadded(to: 13)
          + "\(bytes)".leftPadded(to: 13) + "\(bytes / max(1, sum.records))".leftPadded(to: 13))
    }
    return lines
  }

  private static func text(_ value: Double?) -> String {
    guard let value else { return "-" }
    return "\((value * 10).rounded() / 10)"
  }

  /// The statistics as a JSON object.
  var json: String {
    JSONWriter.object { json in
      json.member("records", all.records)
      json.member("last", last.rawValue)
      json.member("floor", floor.rawValue)
      json.member("baseline", baseline.records)
      json.member("intents", intents)
      json.member("erased", erased)
      json.member("damaged", damaged)
      json.member("headerBytes", all.headerBytes)
      json.member("payloadBytes", all.payloadBytes)
      json.member("pageBytes", pageBytes)
      json.member("pages", pages)
      json.member("recordPages", recordPages)
      json.member("otherPages", otherPages)
      json.member("commits", commits)
      json.member("spaceAmplification", spaceAmplification)
      json.member("writeAmplification", writeAmplification)
      json.member("recordsPerDay", recordsPerDay)
      json.member("busiestHour", busiestHour)
      json.member("kinds", ranked) { json, ranked in
        json.object { $0.members(of: ranked.kind, ranked.sum) }
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(of kind: EventKind, _ sum: LogStatistics.Sum) {
    member("kind", kind.rawValue)
    if let label = EventCatalog.name(of: kind) { member("name", label) }
    member("records", sum.records)
    member("headerBytes", sum.headerBytes)
    member("payloadBytes", sum.payloadBytes)
  }
}
