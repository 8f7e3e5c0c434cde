import EventStore
import Tideline

/// The changes at a server of the Inbox API since a cursor.
///
///     {"cursor_start": "a1", "cursor_end": "a9", "deltas": [
///       {"cursor": "a5", "object": "thread", "event": "modify", "id": "9x", "attributes": {…}},
///       {"cursor": "a9", "object": "message", "event": "delete", "id": "m0"}]}
///
/// A create is `created` and a delete is `deleted`. A modify only changes the fields it names,
/// because its object may be unknown. Envelope members that are not shown here are dropped.
package struct DeltaPage: Sendable {
  /// The cursor of the request.
  package let start: String?
  /// The cursor of the next request.
  package let end: String
  /// The changes, in the server's order.
  package let items: WireItems

  /// Whether this page ends the changes; earlier pages may be short as well.
  package var isLast: Bool { items.count == 0 }

  /// Reads a page.
  ///
  /// - Throws: ``JSONFault`` if the bytes are not JSON or not such a page. Nothing of the page,
  ///   least of all its cursor, may then be used.
  /// - Complexity: O(*n*) in the bytes; the facts share their memory.
  package init(_ bytes: RawSpan) throws(JSONFault) {
    var scanner = try JSONScanner(answer: bytes)
    var reader = ItemReader()
    var (start, end): (String?, String?)
    var hasDeltas = false
    try scanner.open(.object)
    while let name = try scanner.nextName() {
      switch Self.names.index(of: name, in: bytes) {
      case 0: start = try scanner.cursor("cursor_start")
      case 1: end = try scanner.cursor("cursor_end")
      case 2:
        guard !hasDeltas else { throw JSONFault(.contradiction("deltas"), at: name.start) }
        hasDeltas = true
        try reader.takeItems(&scanner) { reader, scanner throws(JSONFault) in
          try reader.takeDelta(&scanner)
        }
      default: _ = try scanner.value()
      }
    }
    try scanner.finish()
    guard hasDeltas else { throw JSONFault(.missing("deltas"), at: 0) }
    guard let end else { throw JSONFault(.missing("cursor_end"), at: 0) }
    (self.start, self.end) = (start, end)
    items = reader.finish()
  }

  private static let names = JSONNames(["cursor_start", "cursor_end", "deltas"])
}

/// A single change, as a line of a stream.
package struct DeltaLine: Sendable {
  /// The cursor of the next request once this change is taken, if the line has a readable one.
  package let cursor: String?
  /// The one change.
  package let items: WireItems

  /// Reads a line.
  package init(_ bytes: RawSpan) throws(JSONFault) {
    var scanner = try JSONScanner(answer: bytes)
    var reader = ItemReader()
    try reader.takeDelta(&scanner)
    try scanner.finish()
    items = reader.finish()
    cursor = try? CursorAnswer(bytes).cursor
  }
}

/// An answer that contains a cursor.
package struct CursorAnswer: Sendable, Hashable {
  /// The cursor.
  package let cursor: String

  /// Reads `{"cursor": "…"}`.
  package init(_ bytes: RawSpan) throws(JSONFault) {
    var scanner = try JSONScanner(answer: bytes)
    var cursor: String?
    try scanner.open(.object)
    while let name = try scanner.nextName() {
      if Self.names.index(of: name, in: bytes) == nil {
        _ = try scanner.value()
      } else {
        cursor = try scanner.cursor("cursor")
      }
    }
    try scanner.finish()
    guard let cursor else { throw JSONFault(.missing("cursor"), at: 0) }
    self.cursor = cursor
  }

  private static let names = JSONNames(["cursor"])
}

extension JSONScanner {
  /// Creates a scanner of an answer; throws if the answer is too long.
  @_lifetime(copy answer)
  init(answer: RawSpan) throws(JSONFault) {
    guard answer.byteCount <= WireLimits.answerBytes else {
      throw JSONFault(.tooLong("the answer", limit: WireLimits.answerBytes), at: 0)
    }
    self.init(answer)
  }

  /// Returns the next value as a cursor.
  mutating func cursor(_ name: StaticString) throws(JSONFault) -> String {
    beginItem()
    let value = try value()
    if let firstBadText { throw JSONFault(.notUTF8, at: firstBadText) }
    guard value.isPlainValue else { throw value.isNot("a text", name) }
    guard value.end - value.start <= WireLimits.idBytes + 2 else {
      throw JSONFault(.tooLong("\(name)", limit: WireLimits.idBytes), at: value.start)
    }
    return bytes.text(of: value)
  }
}
