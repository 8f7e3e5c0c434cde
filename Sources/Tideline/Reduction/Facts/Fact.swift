import EventStore

/// The leading fields of a server's fact about an object.
struct Fact {
  let objectClass: ObjectClass
  let kind: ObjectKind
  /// The key of the object.
  let key: ObjectKey
  private(set) var change = ObjectChange.changed
  private(set) var version: Int?

  /// The id of the object.
  var id: String { key.id }
  /// Whether the fact reports that the object no longer exists.
  var isDeletion: Bool { change == .deleted || change == .gone }

  /// Reads the leading fields; `nil` if the fact is about a class without objects.
  init?(
    _ objectClass: ObjectClass, _ payload: RawSpan, of account: UInt32
  ) throws(Refusal) {
    guard let kind = ObjectKind.of(objectClass) else { return nil }
    try self.init(objectClass, kind, payload, of: account)
  }

  /// Reads the leading fields.
  init(
    _ objectClass: ObjectClass, _ kind: ObjectKind, _ payload: RawSpan, of account: UInt32
  ) throws(Refusal) {
    self.objectClass = objectClass
    self.kind = kind
    do throws(EventError) {
      var reader = PayloadReader(payload)
      guard let field = try reader.nextField(), field.number == ObjectField.id.rawValue else {
        throw EventError(.missing, at: [ObjectField.id.name])
      }
      key = try Self.key(field, kind, account)
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

  private static func key(
    _ field: borrowing PayloadReader.Field, _ kind: ObjectKind, _ account: UInt32
  ) throws(EventError) -> ObjectKey {
    do throws(PayloadError) {
      let id = try field.utf8
      // An id that is not ASCII may be invalid text.
      return id.isASCII
        ? ObjectKey(id, kind, of: account) : ObjectKey(try field.text, kind, of: account)
    } catch {
      throw EventError(.malformed(error))
    }
  }
}
