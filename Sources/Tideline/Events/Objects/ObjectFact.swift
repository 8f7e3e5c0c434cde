package import EventStore

/// A server said how an object is, or that it is no more.
///
/// One record for each object of a page, each delta, and each single object that was asked for.
package struct ObjectFact: InboxEvent {
  /// What the object is.
  package var objectClass: ObjectClass
  /// What was said: its id at least.
  package var fields: ObjectFields

  /// What was said of an object.
  package init(_ objectClass: ObjectClass, _ fields: ObjectFields) {
    self.objectClass = objectClass
    self.fields = fields
  }

  /// The last version of all these kinds.
  package static let version: UInt8 = 1

  package var kind: EventKind { objectClass.kind }
  package var version: UInt8 { Self.version }
  package var origin: Event.Origin { .fact }

  package func encode(into writer: inout PayloadWriter) { fields.encode(into: &writer) }

  package var line: String { "\(objectClass) \(fields.line)" }

  /// Reads the payload of a fact about an object, checking all of it.
  ///
  /// Fields that this version doesn't know are kept.
  ///
  /// - Throws: ``EventError`` for bytes that are no such fact, whatever they are.
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
