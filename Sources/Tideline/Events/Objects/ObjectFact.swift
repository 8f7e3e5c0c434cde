package import EventStore

/// A server's report of an object's state, or of its removal.
///
/// One record for each object in a page, each delta, and each object that was requested
/// individually.
package struct ObjectFact: InboxEvent {
  /// What the object is.
  package var objectClass: ObjectClass
  /// The reported fields, at least the id.
  package var fields: ObjectFields

  /// Creates a report about an object.
  package init(_ objectClass: ObjectClass, _ fields: ObjectFields) {
    self.objectClass = objectClass
    self.fields = fields
  }

  /// The last version of all kinds of facts.
  package static let version: UInt8 = 1

  package var kind: EventKind { objectClass.kind }
  package var version: UInt8 { Self.version }
  package var origin: Event.Origin { .fact }

  package func encode(into writer: inout PayloadWriter) { fields.encode(into: &writer) }

  package var line: String { "\(objectClass) \(fields.line)" }

  /// Decodes the payload of a fact about an object, and checks all of it.
  ///
  /// Fields that this version doesn't know are kept.
  ///
  /// - Throws: ``EventError`` for any bytes that are not such a fact.
  package init(
    _ objectClass: ObjectClass, decoding payload: RawSpan, version: UInt8 = Self.version
  ) throws(EventError) {
    do throws(EventError) {
      guard version == Self.version else {
        throw EventError(.unknownVersion(version, last: Self.version))
      }
      self.init(objectClass, try ObjectFields(whole: payload))
      guard fields.id != nil else { throw EventError(.missing, at: [ObjectField.id.name]) }
    } catch {
      throw error.of(objectClass.kind)
    }
  }
}
