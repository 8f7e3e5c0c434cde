package import EventStore

/// A field of rows, and where a plain value has the same.
package struct PlainField<Item: Sendable, Value: FieldValue>: Sendable {
  /// The field.
  package let field: Field<Value>
  /// What a plain value holds.
  package let value: @Sendable (Item) -> Value?

  /// A field and where a plain value has it.
  package init(_ field: Field<Value>, _ value: @escaping @Sendable (Item) -> Value?) {
    self.field = field
    self.value = value
  }

  /// True of items that hold this, or nothing where it is `nil`.
  package static func == (field: PlainField, value: Value?) -> PlainCondition<Item> {
    PlainCondition(field.field == value) { field.value($0) == value }
  }

  /// True of items that hold something else.
  package static func != (field: PlainField, value: Value?) -> PlainCondition<Item> {
    PlainCondition(field.field != value) { field.value($0) != value }
  }

  /// True of items that hold one of these.
  package func isOne(of values: [Value]) -> PlainCondition<Item> {
    PlainCondition(field.isOne(of: values)) { item in
      value(item).map { values.contains($0) } ?? false
    }
  }

  private func holds(_ test: @escaping @Sendable (Value) -> Bool) -> @Sendable (Item) -> Bool {
    { item in value(item).map(test) ?? false }
  }
}

extension PlainField where Value: Comparable {
  /// True of items that hold less.
  package static func < (field: PlainField, value: Value) -> PlainCondition<Item> {
    PlainCondition(field.field < value, field.holds { $0 < value })
  }

  /// True of items that hold this or less.
  package static func <= (field: PlainField, value: Value) -> PlainCondition<Item> {
    PlainCondition(field.field <= value, field.holds { $0 <= value })
  }

  /// True of items that hold more.
  package static func > (field: PlainField, value: Value) -> PlainCondition<Item> {
    PlainCondition(field.field > value, field.holds { $0 > value })
  }

  /// True of items that hold this or more.
  package static func >= (field: PlainField, value: Value) -> PlainCondition<Item> {
    PlainCondition(field.field >= value, field.holds { $0 >= value })
  }

  /// Nothing, and then from the least on.
  package var ascending: PlainOrder<Item> { ascending(by: { $0 < $1 }) }

  /// From the greatest on, and then nothing.
  package var descending: PlainOrder<Item> { descending(by: { $0 < $1 }) }
}

extension PlainField {
  /// Nothing, and then from the least on, by a comparison.
  package func ascending(
    by isLess: @escaping @Sendable (Value, Value) -> Bool
  ) -> PlainOrder<Item> {
    let value = value
    return PlainOrder(field.ascending) { a, b in
      switch (value(a), value(b)) {
      case (nil, nil): false
      case (nil, _): true
      case (_, nil): false
      case (let a?, let b?): isLess(a, b)
      }
    }
  }

  /// The reverse of the order by a comparison.
  package func descending(
    by isLess: @escaping @Sendable (Value, Value) -> Bool
  ) -> PlainOrder<Item> {
    let ascending = ascending(by: isLess)
    return PlainOrder(field.descending) { a, b in ascending.precedes(b, a) }
  }
}

extension PlainField where Value == String {
  /// True of items whose text begins so.
  package func hasPrefix(_ prefix: String) -> PlainCondition<Item> {
    PlainCondition(field.hasPrefix(prefix), holds { $0.hasPrefix(prefix) })
  }

  /// A group for each text, and one for none.
  package var groups: PlainGrouping<Item> { PlainGrouping(field.declaration) { [value($0)] } }
}

extension PlainField where Value == [String] {
  /// True of items that have one of these among theirs.
  package func intersects(_ texts: [String]) -> PlainCondition<Item> {
    PlainCondition(field.intersects(texts), holds { $0.contains(where: texts.contains) })
  }

  /// A group for each text of an item.
  package var groups: PlainGrouping<Item> {
    PlainGrouping(field.declaration) { item in value(item) ?? [] }
  }
}
