package import EventStore

/// Finds fields of an object in borrowed bytes, without copying them.
///
/// - Complexity: Reading fields in ascending order of their numbers passes once over the bytes;
///   reading an earlier one starts over.
package struct ObjectReader: ~Escapable {
  private let start: PayloadReader
  private var reader: PayloadReader
  private var last = 0

  /// Creates a reader of a payload that begins with an object's fields.
  @_lifetime(copy payload)
  package init(_ payload: RawSpan) {
    start = PayloadReader(payload)
    reader = start
  }

  /// Returns a field, or `nil` if it is absent.
  @_lifetime(copy self)
  package mutating func field(_ field: ObjectField) throws(PayloadError) -> PayloadReader.Field? {
    let number = field.rawValue
    if number <= last { reader = start }
    last = number
    var ahead = reader
    while let found = try ahead.next(), found.number <= number {
      if found.number == number {
        reader = ahead
        return found
      }
      reader = ahead
    }
    return nil
  }

  /// Calls `body` with the payload of each file in a message, until `body` returns false.
  mutating func forEachFile(_ body: (RawSpan) -> Bool) throws(PayloadError) {
    guard let field = try field(.files), !field.isNull else { return }
    var files = try field.items
    while let file = try files.next(), body(try file.payload) {}
  }
}
