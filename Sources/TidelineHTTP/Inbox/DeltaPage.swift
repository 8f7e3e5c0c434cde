import EventStore
import Tideline

/// What changed at a server of the Inbox API since a cursor.
///
///     {"cursor_start": "a1", "cursor_end": "a9", "deltas": [
///       {"cursor": "a5", "object": "thread", "event": "modify", "id": "9x", "attributes": {…}},
///       {"cursor": "a9", "object": "message", "event": "delete", "id": "m0"}]}
///
/// A create is `created`, a delete is `deleted`; a modify only changes what it says, as it may be
/// of an object that nobody knows. Members of an envelope that are not shown here are not kept.
package struct DeltaPage: Sendable {
  /// The cursor that was asked with.
  package let start: String?
  /// The cursor to ask with next.
  package let end: String
  /// What changed, in the server's order.
  package let items: WireItems

  /// Whether this is the end of what there is: pages before it may be short as well.
  package var isLast: Bool { items.count == 0 }

  /// Reads a page.
  ///
  /// - Throws: ``JSONFault`` where the bytes are no JSON, or no such page: nothing of it may be
  ///   taken then, and its cursor least of all.
  /// - Complexity: O(*n*) in the bytes, with one allocation for each object.
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
        hasDeltas = true
        try scanner.open(.array)
        while try scanner.nextItem() { try reader.takeDelta(&scanner) }
      default: _ = try scanner.value()
      }
    }
    try scanner.finish()
    guard hasDeltas else { throw JSONFault(.missing("deltas"), at: 0) }
    guard let end else { throw JSONFault(.missing("cursor_end"), at: 0) }
    (self.start, self.end) = (start, end)
    items = reader.items
  }

  private static let names = JSONNames(["cursor_start", "cursor_end", "deltas"])
}

/// A single change, as a line of a stream has it.
package struct DeltaLine: Sendable {
  /// The cursor to ask with next, once this is taken, if it says one that can be read.
  package let cursor: String?
  /// The one thing that changed.
  package let items: WireItems

  /// Reads a line.
  package init(_ bytes: RawSpan) throws(JSONFault) {
    var scanner = try JSONScanner(answer: bytes)
    var reader = ItemReader()
    try reader.takeDelta(&scanner)
    try scanner.finish()
    items = reader.items
    cursor = try? CursorAnswer(bytes).cursor
  }
}

/// An answer that names a cursor.
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
  /// A scanner of an answer that is not too long to be read.
  @_lifetime(copy answer)
  init(answer: RawSpan) throws(JSONFault) {
    guard answer.byteCount <= WireLimits.answerBytes else {
      throw JSONFault(.tooLong("the answer", limit: WireLimits.answerBytes), at: 0)
    }
    self.init(answer)
  }

  /// The cursor that is next.
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
