public import EventStore

/// A property of a model and the field of a row that holds it.
///
/// It reads and writes the property, and is what queries find when they meet its key path.
public struct ModelProperty<Object: Model>: Sendable {
  /// What a property is to a query.
  enum Meaning: Sendable {
    case column(Column)
    case condition(Condition)
  }

  /// The property.
  let keyPath: any PartialKeyPath<Object> & Sendable
  let meaning: Meaning
  let read: @Sendable (Row, inout Object) -> Void
  let write: @Sendable (Object, inout MutableRow) -> Void

  /// The field that holds it, if one does.
  public var field: FieldDeclaration? {
    if case .column(let column) = meaning { column.field } else { nil }
  }
}

extension ModelProperty {
  /// A property that a row may have no value of.
  package init<Value: PropertyValue>(
    _ keyPath: any WritableKeyPath<Object, Value?> & Sendable, _ field: Field<Value.Stored>
  ) {
    self.keyPath = keyPath
    meaning = .column(Column(field: field.declaration, type: Value.self))
    read = { row, object in object[keyPath: keyPath] = row[field].flatMap(Value.init(kept:)) }
    write = { object, row in row[field] = object[keyPath: keyPath]?.kept }
  }

  /// A property that always has a value: rows leave out the one that stands for none.
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

  /// A property that every row has a value of, so that rows can be ordered by it.
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

  /// A property that is computed of others, and kept so that rows can be ordered or found by it.
  package init<Value: PropertyValue>(
    computed keyPath: any KeyPath<Object, Value> & Sendable, _ field: Field<Value.Stored>,
    absent: Value
  ) {
    self.keyPath = keyPath
    meaning = .column(Column(field: field.declaration, type: Value.self, absent: absent))
    read = { _, _ in }
    write = { object, row in row[field] = object[keyPath: keyPath].kept }
  }

  /// A property that is computed of others, and that a condition says in other words.
  package init(
    computed keyPath: any KeyPath<Object, Bool> & Sendable, where condition: Condition
  ) {
    self.keyPath = keyPath
    meaning = .condition(condition)
    read = { _, _ in }
    write = { _, _ in }
  }
}
