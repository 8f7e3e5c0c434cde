import EventStore
import Tideline
import TidelineSync

extension SyncEvent {
  /// The event, for people.
  var line: String {
    switch self {
    case .answered(let id, .success(let answer)):
      "hears \(id.question): \(answer.facts.map(\.shortLine)) \(answer.cursor ?? "")"
    case .answered(let id, .failure(let failure)): "hears \(id.question): \(failure.reason)"
    case .performed(let id, .success(let settlement)): "hears #\(id): \(settlement.outcomes)"
    case .performed(let id, .failure(let failure)): "hears #\(id): \(failure.reason)"
    case .keptBack(let id): "keeps back #\(id)"
    default: "\(self)"
    }
  }
}

extension ObjectFact {
  /// The fact in a few words.
  fileprivate var shortLine: String {
    let version = fields.integer(.version).map { " v\($0)" } ?? ""
    let tags = fields.labels(.tags).map { " \($0.map(\.id).joined(separator: "+"))" } ?? ""
    return "\(fields.change) \(objectClass) \(fields.id ?? "")\(version)\(tags)"
  }
}

extension Login {
  /// The login, for people.
  var line: String { "\(account)/\(epoch)" }
}

extension Parcel {
  /// The parcel, for people.
  var line: String {
    switch content {
    case .question(_, let question): "\(question) of d\(device)"
    case .request(let id, let request):
      "#\(id) of d\(device): "
        + request.parts.map { "\($0.objectClass) \($0.id) \($0.wanted.line) v\($0.version ?? -1)" }
        .joined(separator: ", ")
    }
  }
}

extension ServerRequest.Wanted {
  fileprivate var line: String {
    switch self {
    case .draft(_, let isNew): isNew ? "new draft" : "draft"
    case .tags(let added, let removed): "tags +\(added.sorted()) -\(removed.sorted())"
    default: "\(self)"
    }
  }
}

extension SimulatedDevice {
  /// Returns the records after a number, for people.
  func lines(after last: RecordNumber) -> String {
    var lines: [String] = []
    store.forEachRecord { record in
      if record.number > last {
        lines.append("\(record.number.rawValue) \(EventCatalog.line(of: record))")
      }
    }
    return lines.joined(separator: "; ")
  }
}
