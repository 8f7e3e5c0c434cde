import EventStore
import Tideline

/// How many records there are of each kind.
struct KindTally {
  private var counts: [EventKind: Int] = [:]
  /// How many are damaged.
  private(set) var damaged = 0

  /// Counts the records of a log that a filter is true of, and that are asked for.
  init(
    _ log: Log, _ filter: RecordFilter, from first: RecordNumber?,
    _ isAskedFor: (Record) -> Bool
  ) throws {
    var search = RecordSearch(log, matching: filter, from: first)
    while let part = try search.part() {
      for found in part {
        switch found {
        case .success(let record):
          if isAskedFor(record) { counts[record.header.kind, default: 0] += 1 }
        case .failure: damaged += 1
        }
      }
      try Task.checkCancellation()
    }
  }

  private var ranked: [(kind: EventKind, count: Int)] {
    counts.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0.rawValue) < ($0.1, $1.0.rawValue) }
  }

  /// A line for each kind, the most frequent first.
  var lines: [String] {
    ranked.map { kind, count in
      "\(count)".leftPadded(to: 9) + "  \(EventCatalog.name(of: kind) ?? "kind \(kind.rawValue)")"
    }
  }

  /// All of it as a JSON object.
  var json: String {
    JSONWriter.object { json in
      json.member("kinds", ranked) { json, ranked in
        json.object { json in
          json.member("kind", ranked.kind.rawValue)
          if let label = EventCatalog.name(of: ranked.kind) { json.member("name", label) }
          json.member("records", ranked.count)
        }
      }
      json.member("damaged", damaged)
    }
  }
}
