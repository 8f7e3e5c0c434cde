import EventStore

extension EventKind {
  /// The one kind of event that these tests need: a note with a text.
  static let note = EventKind(rawValue: 1)
}

extension Event {
  static let note = Event(kind: .note, recordedAt: Timestamp(rawValue: 1_700_000_000_000))
}

extension Batch {
  /// Creates a batch of notes.
  static func of(_ texts: String...) -> Batch { of(texts) }

  static func of(_ texts: [String]) -> Batch {
    var batch = Batch()
    for text in texts { batch.add(.note) { $0.put(1, text) } }
    return batch
  }
}

extension Record {
  /// The text of a note.
  var text: String {
    guard case .text(let text)? = (try? PayloadFields(decoding: payload.span.bytes))?[1] else {
      return "?"
    }
    return text
  }
}

extension Log {
  /// Returns the texts of all notes, read with every check.
  func texts() throws -> [String] {
    try read { snapshot throws(LogError) in
      var texts: [String] = []
      var cursor = try snapshot.records()
      while try cursor.next() { texts.append(cursor.record.record.text) }
      return texts
    }
  }
}

extension String {
  /// Returns the text, padded to at least `count` bytes.
  func padded(to count: Int) -> String {
    self + String(repeating: "~", count: max(0, count - utf8.count))
  }

  /// The text without its padding.
  var unpadded: String { String(prefix { $0 != "~" }) }
}

extension Log {
  /// Returns the texts of all notes without their padding, read with every check.
  func unpaddedTexts() throws -> [String] { try texts().map(\.unpadded) }
}
