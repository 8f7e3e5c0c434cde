package import EventStore

/// What an event says of a field: nothing, that it is empty, or what it holds.
package enum Patch<Value: Hashable & Sendable>: Hashable, Sendable {
  /// It stays as it is.
  case keep
  /// It is to hold nothing.
  case clear
  /// It is to hold this.
  case set(Value)

  /// What it is to hold, if anything.
  package var value: Value? {
    guard case .set(let value) = self else { return nil }
    return value
  }

  /// Does to a value what the event says.
  package func apply(to value: inout Value?) {
    switch self {
    case .keep: break
    case .clear: value = nil
    case .set(let new): value = new
    }
  }
}

extension PayloadWriter {
  /// Writes what is said of a field; of one that stays, nothing.
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
  /// What is said of the field, of which `read` reads what it holds.
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
