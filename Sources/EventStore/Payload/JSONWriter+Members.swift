/// Members of an object: name and value in one call. A missing value is `null`.
extension JSONWriter {
  /// Writes a text.
  package mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    if let text { string(text) } else { null() }
  }

  /// Writes an integer.
  package mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
    self.name(name)
    if let number { self.number(number) } else { null() }
  }

  /// Writes a double as ``number(_:)`` does.
  package mutating func member(_ name: String, _ number: Double?) {
    self.name(name)
    if let number { self.number(number) } else { null() }
  }

  /// Writes `true` or `false`.
  package mutating func member(_ name: String, _ flag: Bool) {
    self.name(name)
    boolean(flag)
  }

  /// Writes an array of texts.
  package mutating func member(_ name: String, _ texts: [String]) {
    member(name, texts) { $0.string($1) }
  }

  /// Writes an array; `element` writes each item, which must be one value.
  package mutating func member<Items: Sequence>(
    _ name: String, _ items: Items, _ element: (inout JSONWriter, Items.Element) -> Void
  ) {
    member(name) { $0.array { json in for item in items { element(&json, item) } } }
  }

  /// Writes the output of `value`, which must be one value.
  package mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
    self.name(name)
    value(&self)
  }
}
