package import EventStore

/// An event's effect on a field: none, no value, or a new value.
package enum Patch<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The field stays as it is.
  case keep
  /// The field loses its value.
  case clear
  /// The field gets this value.
  case set(Value)

  /// The new value, if any.
  package var value: Value? {
    guard case .set(let value) = self else { return nil }
    return value
  }

  /// Applies the patch to a value.
  package func apply(to value: inout Value?) {
    switch self {
    case .keep: break
    case .clear: value = nil
    case .set(let new): value = new
    }
  }
}

extension PayloadWriter {
  /// Writes a field's patch; nothing for a field that stays.
  package mutating func put<Value>(
    _ number: Int, _ patch: Patch<Value>, _ write: (inout PayloadWriter, Value) -> Void
  ) {
    switch patch {
    case .keep: break
    case .clear: putNull(number)
    case .set(let value): write(&self, value)
    }
  }
}

extension PayloadReader.Field {
  /// Returns the field's patch, whose value `read` reads.
  func patch<Value>(
    _ read: (borrowing PayloadReader.Field) throws(PayloadError) -> Value
  ) throws(PayloadError) -> Patch<Value> {
    isNull ? .clear : .set(try read(self))
  }

  /// The texts of a list.
  var texts: [String] {
    get throws(PayloadError) {
      var texts: [String] = []
      var items = try items
      while let item = try items.next() { texts.append(try item.text) }
      return texts
    }
  }
}
