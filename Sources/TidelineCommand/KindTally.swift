import EventStore
import Tideline

/// The number of records of each kind.
struct KindTally {
  private var counts: [EventKind: Int] = [:]
  /// The number of damaged records.
  private(set) var damaged = 0

  /// Counts the records of a log that match a filter and are asked for.
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

  /// One line per kind, the most frequent first.
  var lines: [String] {
    ranked.map { kind, count in
      "\(count)".leftPadded(to: 9) + "  \(EventCatalog.name(of: kind) ?? "kind \(kind.rawValue)")"
    }
  }

  /// The tally as a JSON object.
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
