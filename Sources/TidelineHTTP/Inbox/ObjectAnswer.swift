import EventStore
package import Tideline

/// One object, or a list of them, as a server of the Inbox API answers.
package struct ObjectAnswer: Sendable {
  /// The objects, in the server's order.
  package let items: WireItems
  /// Whether it was a list.
  package let isList: Bool

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - objectClass: What an object is that does not say so itself.
  ///   - change: What the answer says of its objects: that they are whole, or that they changed.
  /// - Throws: ``JSONFault`` where the bytes are no JSON, or neither an object nor a list.
  /// - Complexity: O(*n*) in the bytes, with one allocation for each object.
  package init(
    _ bytes: RawSpan, of objectClass: ObjectClass, as change: ObjectChange = .whole
  ) throws(JSONFault) {
    var scanner = try JSONScanner(answer: bytes)
    var reader = ItemReader()
    let kind = try scanner.nextKind()
    switch kind {
    case .object: try reader.takeObject(&scanner, objectClass, change)
    case .array:
      try scanner.open(.array)
      while try scanner.nextItem() { try reader.takeObject(&scanner, objectClass, change) }
    default: throw JSONFault(.wrongType("the answer", expected: "a list"), at: scanner.place)
    }
    try scanner.finish()
    (items, isList) = (reader.items, kind == .array)
  }
}
