public import EventStore

/// A property of a model, with the field of a row that stores it.
///
/// It reads and writes the property. Queries look it up by key path.
public struct ModelProperty<Object: Model>: Sendable {
  /// What a property means in a query.
  enum Meaning: Sendable {
    case column(Column)
    case condition(Condition)
  }

  /// The key path of the property.
  let keyPath: any PartialKeyPath<Object> & Sendable
  let meaning: Meaning
  let read: @Sendable (Row, inout Object) -> Void
  let write: @Sendable (Object, inout MutableRow) -> Void

  /// The field that stores the property, if any.
  public var field: FieldDeclaration? {
    if case .column(let column) = meaning { column.field } else { nil }
  }
}

extension ModelProperty {
  /// Creates an optional property, absent in rows if `nil`.
  package init<Value: PropertyValue>(
    _ keyPath: any WritableKeyPath<Object, Value?> & Sendable, _ field: Field<Value.Stored>
  ) {
    self.keyPath = keyPath
    meaning = .column(Column(field: field.declaration, type: Value.self))
    read = { row, object in object[keyPath: keyPath] = row[field].flatMap(Value.init(kept:)) }
    write = { object, row in row[field] = object[keyPath: keyPath]?.kept }
  }

  /// Creates a non-optional property; its field is absent if the value equals `absent`.
  package init<Value: PropertyValue>(
    _ keyPath: any WritableKeyPath<Object, Value> & Sendable, _ field: Field<Value.Stored>,
    absent: Value
  ) {
    self.keyPath = keyPath
    meaning = .column(Column(field: field.declaration, type: Value.self, absent: absent))
    read = { row, object in
      object[keyPath: keyPath] = row[field].flatMap(Value.init(kept:)) ?? absent
    }
    write = { object, row in
      let value = object[keyPath: keyPath]
      row[field] = value == absent ? nil : value.kept
    }
  }

  /// Creates a property whose field is always present, so that rows can be ordered by it.
  package init<Value: PropertyValue>(
    _ keyPath: any WritableKeyPath<Object, Value> & Sendable, always field: Field<Value.Stored>,
    absent: Value
  ) {
    self.keyPath = keyPath
    meaning = .column(Column(field: field.declaration, type: Value.self, absent: absent))
    read = { row, object in
      object[keyPath: keyPath] = row[field].flatMap(Value.init(kept:)) ?? absent
    }
    write = { object, row in row[field] = object[keyPath: keyPath].kept }
  }

  /// Creates a computed property that is stored so that rows can be ordered or found by it.
  package init<Value: PropertyValue>(
    computed keyPath: any KeyPath<Object, Value> & Sendable, _ field: Field<Value.Stored>,
    absent: Value
  ) {
    self.keyPath = keyPath
    meaning = .column(Column(field: field.declaration, type: Value.self, absent: absent))
    read = { _, _ in }
    write = { object, row in row[field] = object[keyPath: keyPath].kept }
  }

  /// Creates a computed property that queries replace with a condition.
  package init(
    computed keyPath: any KeyPath<Object, Bool> & Sendable, where condition: Condition
  ) {
    self.keyPath = keyPath
    meaning = .condition(condition)
    read = { _, _ in }
    write = { _, _ in }
  }
}
