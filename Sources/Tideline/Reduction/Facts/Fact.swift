import EventStore

/// The leading fields of a server's fact about an object.
struct Fact {
  let objectClass: ObjectClass
  /// The key of the object.
  private(set) var key: ObjectKey
  private(set) var change = ObjectChange.changed
  private(set) var version: Int?

  /// The id of the object.
  var id: String { key.id }
  /// Whether the fact reports that the object no longer exists.
  var isDeletion: Bool { change == .deleted || change == .gone }

  /// Reads the leading fields.
  ///
  /// - Parameter spares: The buffers in which the key is made; see ``giveBack(to:)``.
  init(
    _ objectClass: ObjectClass, _ kind: ObjectKind, _ payload: RawSpan, of account: UInt32,
    in spares: inout SpareBuffers
  ) throws(Refusal) {
    self.objectClass = objectClass
    do throws(EventError) {
      var reader = PayloadReader(payload)
      guard let field = try reader.nextField(), field.number == ObjectField.id.rawValue else {
        throw EventError(.missing, at: [ObjectField.id.name])
      }
      key = try Self.key(field, kind, account, &spares)
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

  /// Returns the key's buffer to the spare ones; the fact is not to be used afterwards.
  mutating func giveBack(to spares: inout SpareBuffers) { key.giveBack(to: &spares) }

  private static func key(
    _ field: borrowing PayloadReader.Field, _ kind: ObjectKind, _ account: UInt32,
    _ spares: inout SpareBuffers
  ) throws(EventError) -> ObjectKey {
    do throws(PayloadError) {
      let id = try field.utf8
      // An id that is not ASCII may be invalid text.
      return id.isASCII
        ? ObjectKey(id, kind, of: account, in: &spares)
        : ObjectKey(try field.text, kind, of: account)
    } catch {
      throw EventError(.malformed(error))
    }
  }
}
