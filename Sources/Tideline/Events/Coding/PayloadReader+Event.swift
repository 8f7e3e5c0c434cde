import EventStore

/// Reading with the errors of events.
extension PayloadReader {
  /// The next field, or `nil` after the last one.
  @_lifetime(copy self)
  mutating func nextField() throws(EventError) -> Field? {
    do { return try next() } catch { throw EventError(.malformed(error)) }
  }

  /// The number of the next field, or `nil` after the last one.
  mutating func nextNumber() throws(EventError) -> Int? { try nextField()?.number }
}

extension PayloadReader.Items {
  /// The next item, or `nil` after the last one.
  @_lifetime(copy self)
  mutating func nextItem() throws(EventError) -> PayloadReader.Field? {
    do { return try next() } catch { throw EventError(.malformed(error)) }
  }
}

extension PayloadReader.Field {
  /// A reader of the fields within.
  var eventFields: PayloadReader {
    @_lifetime(copy self)
    get throws(EventError) {
      do { return try fields } catch { throw EventError(.malformed(error)) }
    }
  }

  /// A reader of the items of a list.
  var eventItems: PayloadReader.Items {
    @_lifetime(copy self)
    get throws(EventError) {
      do { return try items } catch { throw EventError(.malformed(error)) }
    }
  }
}
