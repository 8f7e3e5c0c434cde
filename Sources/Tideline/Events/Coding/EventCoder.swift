package import EventStore

/// What goes through an event's fields: to write them, to read them, to show them, to list them.
///
/// So an event lists its fields once, in ascending order of their numbers, and what is written and
/// what is read can't differ.
package protocol EventCoder: ~Copyable, ~Escapable {
  /// What it throws: nothing, if it doesn't read.
  associatedtype Failure: Error

  /// A field: what is there is written, or is read into it.
  mutating func code<Value: EventValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) throws(Failure)

  /// The fields of an object, whose numbers are those of ``ObjectField``: they come before others.
  mutating func code(object: inout ObjectFields) throws(Failure)
}

/// Fields that are listed once: those of an event, or those within a field.
package protocol EventPart: EventValue {
  /// Without fields.
  init()

  /// Lists the fields, in ascending order of their numbers.
  mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure)
}

extension EventPart {
  /// One with what `fill` sets; the rest is as in one without fields.
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

/// Reads fields in the order in which they are listed, and skips those that are not.
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

  /// Reads to the end, so that nothing malformed goes unnoticed.
  @_lifetime(self: copy self)
  mutating func finish() throws(EventError) {
    while try reader.nextNumber() != nil {}
  }

  /// The field of that number, where there is one behind those that were found before.
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
