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
    try reader.pass(below: number)
    var ahead = reader
    guard let found = try ahead.next(), found.number == number else { return nil }
    reader = ahead
    return found
  }

  /// Returns the files in a message, or `nil` if it says nothing of any.
  @_lifetime(copy payload)
  static func files(in payload: RawSpan) throws(PayloadError) -> PayloadReader.Items? {
    var reader = PayloadReader(payload)
    try reader.pass(below: ObjectField.files.rawValue)
    guard let field = try reader.next(), field.number == ObjectField.files.rawValue,
      !field.isNull
    else { return nil }
    return try field.items
  }
}
