import EventStore
import Testing
import Tideline
import TidelineHTTP

/// The results of decoding a text.
enum Reading {
  static func deltas(_ text: String) throws(JSONFault) -> DeltaPage {
    try DeltaPage(Array(text.utf8).payloadBytes)
  }

  static func objects(
    _ text: String, _ objectClass: ObjectClass, as change: ObjectChange = .whole
  ) throws(JSONFault) -> ObjectAnswer {
    try ObjectAnswer(Array(text.utf8).payloadBytes, of: objectClass, as: change)
  }

  /// Decodes the one fact of a single object.
  static func fact(_ text: String, _ objectClass: ObjectClass) throws -> ObjectFact {
    let items = try objects(text, objectClass, as: .changed).items
    #expect(items.refused.isEmpty, "\(items.refused.map(\.line))")
    return try #require(items.facts.first)
  }
}

extension ObjectFact {
  /// A fact with fields that the test sets itself.
  static func expected(
    _ objectClass: ObjectClass, _ fill: (inout ObjectFields) -> Void
  ) -> ObjectFact {
    ObjectFact(objectClass, ObjectFields(fill))
  }
}

extension Timestamp {
  init(seconds: Int64) { self.init(rawValue: seconds * 1000) }
}
