package import EventStore

/// A visitor of an event's fields, which writes, reads, shows or lists them.
///
/// An event therefore lists its fields only once, in ascending order of their numbers, and its
/// encoding and decoding can't differ.
package protocol EventCoder: ~Copyable, ~Escapable {
  /// The error that the coder throws: `Never`, unless the coder reads.
  associatedtype Failure: Error

  /// Visits a field: writes its value, or reads a new one into it.
  mutating func code<Value: EventValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) throws(Failure)

  /// Visits a field with the last record that counts: records up to it matter, it alone does not.
  mutating func code<Place: EventValue>(
    _ number: Int, _ name: String, last place: inout Place
  ) throws(Failure)

  /// Visits the fields of an object, with the numbers of ``ObjectField``: they come before others.
  mutating func code(object: inout ObjectFields) throws(Failure)
}

extension EventCoder where Self: ~Copyable, Self: ~Escapable {
  package mutating func code<Place: EventValue>(
    _ number: Int, _ name: String, last place: inout Place
  ) throws(Failure) {
    try code(number, name, &place)
  }
}

/// A set of fields that is listed once: those of an event, or those within a field.
package protocol EventPart: EventValue {
  /// An empty instance.
  init()

  /// Lists the fields to a coder, in ascending order of their numbers.
  mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure)
}

extension EventPart {
  /// Creates an instance with the fields that `fill` sets.
  package init(_ fill: (inout Self) -> Void) {
    self.init()
    fill(&self)
  }
}

extension PayloadWriter: EventCoder {
  package mutating func code<Value: EventValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) {
    guard value != Value.absent else { return }
    value.put(number, into: &self)
  }

  package mutating func code(object: inout ObjectFields) { object.encode(into: &self) }
}

/// Reads fields in the order in which they are listed, and skips unlisted ones.
struct EventDecoder: EventCoder, ~Escapable {
  private var reader: PayloadReader

  @_lifetime(copy reader)
  init(_ reader: PayloadReader) { self.reader = reader }

  @_lifetime(self: copy self)
  mutating func code<Value: EventValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) throws(EventError) {
    do throws(EventError) {
      if let field = try find(number) {
        value = try Value(reading: field)
      } else if let absent = Value.absent {
        value = absent
      } else {
        throw EventError(.missing)
      }
    } catch {
      throw error.within(name)
    }
  }

  @_lifetime(self: copy self)
  mutating func code(object: inout ObjectFields) throws(EventError) {
    object = try ObjectFields(reading: &reader)
    guard object.id != nil else { throw EventError(.missing, at: [ObjectField.id.name]) }
  }

  /// Reads to the end, so that anything malformed is found.
  @_lifetime(self: copy self)
  mutating func finish() throws(EventError) {
    while try reader.nextNumber() != nil {}
  }

  /// Returns the field with a number, if there is one after those found before.
  @_lifetime(copy self)
  private mutating func find(_ number: Int) throws(EventError) -> PayloadReader.Field? {
    var ahead = reader
    while let field = try ahead.nextField(), field.number <= number {
      reader = ahead
      if field.number == number { return field }
    }
    return nil
  }
}
