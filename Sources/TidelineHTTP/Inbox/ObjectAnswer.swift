import EventStore
package import Tideline

/// An object or a list of objects, as a server of the Inbox API answers.
package struct ObjectAnswer: Sendable {
  /// The objects, in the server's order.
  package let items: WireItems
  /// Whether the answer was a list.
  package let isList: Bool

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - objectClass: The class of an object that does not state its own.
  ///   - change: Whether the objects are whole, or only what changed.
  /// - Throws: ``JSONFault`` if the bytes are not JSON, or neither an object nor a list.
  /// - Complexity: O(*n*) in the bytes; the facts share their memory.
  package init(
    _ bytes: RawSpan, of objectClass: ObjectClass, as change: ObjectChange = .whole
  ) throws(JSONFault) {
    var scanner = try JSONScanner(answer: bytes)
    var reader = ItemReader()
    let kind = try scanner.nextKind()
    switch kind {
    case .object: try reader.takeObject(&scanner, objectClass, change)
    case .array:
      try reader.takeItems(&scanner) { reader, scanner throws(JSONFault) in
        try reader.takeObject(&scanner, objectClass, change)
      }
    default: throw JSONFault(.wrongType("the answer", expected: "a list"), at: scanner.place)
    }
    try scanner.finish()
    (items, isList) = (reader.finish(), kind == .array)
  }
}
