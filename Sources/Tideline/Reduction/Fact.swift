import EventStore

/// The beginning of what a server said of an object.
struct Fact {
  let objectClass: ObjectClass
  let kind: ObjectKind
  let id: String
  private(set) var change = ObjectChange.changed
  private(set) var version: Int?

  /// Reads what every fact begins with; `nil` where it is about nothing that objects are made of.
  init?(_ objectClass: ObjectClass, _ payload: RawSpan) throws(Refusal) {
    guard let kind = ObjectKind.of(objectClass) else { return nil }
    try self.init(objectClass, kind, payload)
  }

  /// Reads what every fact begins with.
  init(_ objectClass: ObjectClass, _ kind: ObjectKind, _ payload: RawSpan) throws(Refusal) {
    self.objectClass = objectClass
    self.kind = kind
    do throws(EventError) {
      var reader = PayloadReader(payload)
      guard let field = try reader.nextField(), field.number == ObjectField.id.rawValue else {
        throw EventError(.missing, at: [ObjectField.id.name])
      }
      id = try String(reading: field)
      while let field = try reader.nextField(), field.number <= ObjectField.version.rawValue {
        if field.isNull { continue }
        if field.number == ObjectField.change.rawValue {
          change = try ObjectChange(reading: field)
        } else {
          version = Int(exactly: try Int64(reading: field))
        }
      }
    } catch {
      throw Refusal(error)
    }
  }
}
