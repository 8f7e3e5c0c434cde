import EventStore

extension Batch {
  /// Returns a batch of notes with these texts.
  static func of(_ texts: [String]) -> Batch {
    var batch = Batch()
    let event = Event(kind: EventKind(rawValue: 1), recordedAt: Timestamp(rawValue: 0))
    for text in texts { batch.add(event) { $0.put(1, text) } }
    return batch
  }
}

extension Record {
  /// The text of a note, without its padding.
  var text: String {
    let fields = unsafe try? PayloadFields(decoding: payload.span.bytes)
    guard case .text(let text)? = fields?[1] else { return "?" }
    return String(text.prefix { $0 != "~" })
  }
}

extension String {
  func padded(to count: Int) -> String {
    self + String(repeating: "~", count: max(0, count - utf8.count))
  }
}

extension LogError {
  /// The name of the case, as the tests expect it.
  var name: String {
    switch self {
    case .missing: "missing"
    case .notAFolder: "notAFolder"
    case .notPermitted: "notPermitted"
    case .readOnly: "readOnly"
    case .alreadyOpen: "alreadyOpen"
    case .occupied: "occupied"
    case .notALog: "notALog"
    case .newerFormat: "newerFormat"
    case .damagedFile: "damagedFile"
    case .damagedRecord: "damagedRecord"
    case .diskFull: "diskFull"
    case .mapFull: "mapFull"
    case .failed: "failed"
    case .tooLarge: "tooLarge"
    case .tooMany: "tooMany"
    case .compacted: "compacted"
    case .busy: "busy"
    case .closed: "closed"
    }
  }
}
