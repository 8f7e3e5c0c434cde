package import EventStore

/// A field of rows, and how to read the same value from an item.
package struct PlainField<Item: Sendable, Value: FieldValue>: Sendable {
  /// The field.
  package let field: Field<Value>
  /// Returns an item's value.
  package let value: @Sendable (Item) -> Value?

  /// A field, and how to read it from an item.
  package init(_ field: Field<Value>, _ value: @escaping @Sendable (Item) -> Value?) {
    self.field = field
    self.value = value
  }

  /// True for items with this value, or without one for `nil`.
  package static func == (field: PlainField, value: Value?) -> PlainCondition<Item> {
    PlainCondition(field.field == value) { field.value($0) == value }
  }

  /// True for items with another value.
  package static func != (field: PlainField, value: Value?) -> PlainCondition<Item> {
    PlainCondition(field.field != value) { field.value($0) != value }
  }

  /// True for items with one of these values.
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
  /// True for items with a lesser value.
  package static func < (field: PlainField, value: Value) -> PlainCondition<Item> {
    PlainCondition(field.field < value, field.holds { $0 < value })
  }

  /// True for items with this value or a lesser one.
  package static func <= (field: PlainField, value: Value) -> PlainCondition<Item> {
    PlainCondition(field.field <= value, field.holds { $0 <= value })
  }

  /// True for items with a greater value.
  package static func > (field: PlainField, value: Value) -> PlainCondition<Item> {
    PlainCondition(field.field > value, field.holds { $0 > value })
  }

  /// True for items with this value or a greater one.
  package static func >= (field: PlainField, value: Value) -> PlainCondition<Item> {
    PlainCondition(field.field >= value, field.holds { $0 >= value })
  }

  /// Items without a value, then from least to greatest.
  package var ascending: PlainOrder<Item> { ascending(by: { $0 < $1 }) }

  /// From greatest to least, then items without a value.
  package var descending: PlainOrder<Item> { descending(by: { $0 < $1 }) }
}

extension PlainField {
  /// Items without a value, then from least to greatest, by a comparison.
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
  /// True for items whose text has this prefix.
  package func hasPrefix(_ prefix: String) -> PlainCondition<Item> {
    PlainCondition(field.hasPrefix(prefix), holds { $0.hasPrefix(prefix) })
  }

  /// A group for each text, and one for items without.
  package var groups: PlainGrouping<Item> { PlainGrouping(field.declaration) { [value($0)] } }
}

extension PlainField where Value == [String] {
  /// True for items with at least one of these texts.
  package func intersects(_ texts: [String]) -> PlainCondition<Item> {
    PlainCondition(field.intersects(texts), holds { $0.contains(where: texts.contains) })
  }

  /// A group for each text of an item.
  package var groups: PlainGrouping<Item> {
    PlainGrouping(field.declaration) { item in value(item) ?? [] }
  }
}
