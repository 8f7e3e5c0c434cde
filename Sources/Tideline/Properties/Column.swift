import EventStore

/// A property as rows store it: the field, the value type and the value of an absent field.
struct Column: Sendable {
  let field: FieldDeclaration
  let type: any PropertyValue.Type
  /// The value of rows in which the field is absent, or `nil` if that value is `nil`.
  var absent: (any PropertyValue)?
  /// Whether the property is force-unwrapped.
  var isForced = false

  /// True for rows in which the field is present.
  var presence: Bounds { Bounds(!field.isAbsent) }

  /// Returns bounds for rows whose value has the relation to a non-`nil` constant.
  func bounds(_ relation: Relation, _ constant: Any) -> Bounds {
    type.bounds(self, relation, constant)
  }

  /// Returns bounds for rows whose value is one of the constants, which may include `nil`.
  func bounds(isOneOf constants: [Any?]) -> Bounds { type.bounds(self, isOneOf: constants) }

  /// Matches rows whose set contains the text; `nil` for other types.
  func bounds(containing text: String) -> Bounds? {
    guard type is Set<String>.Type else { return nil }
    let isIn = Bounds(Field<Set<String>>(field.name, field.number).contains(text))
    return completed(isIn, ifAbsent: (absent as? Set<String>)?.contains(text) ?? false)
  }

  /// Matches rows whose text has a prefix, by characters; `nil` for other types.
  func bounds(startingWith prefix: String) -> Bounds? {
    guard type is String.Type else { return nil }
    let isPrefix = Bounds(Field<String>(field.name, field.number).hasPrefix(prefix))
    let isCertain = prefix.utf8.last != UInt8(ascii: "\r")
    // Rows with ASCII text are compared by bytes, but "\r\n" is one character.
    let bounds =
      isCertain
      ? isPrefix : Bounds(upper: isPrefix.upper, lower: .never, ["prefix that ends within \\r\\n"])
    return completed(bounds, ifAbsent: (absent as? String)?.starts(with: prefix) ?? false)
  }

  /// Returns bounds that also cover rows without a value, according to `ifAbsent`.
  fileprivate func completed(_ bounds: Bounds, ifAbsent: Bool?) -> Bounds {
    let whole = ifAbsent ?? false ? bounds || !presence : bounds
    return isForced ? whole.doubted("unwrapping of \(field.name) by force") : whole
  }
}

extension PropertyValue {
  fileprivate static func bounds(
    _ column: Column, _ relation: Relation, _ constant: Any
  ) -> Bounds {
    let field = Field<Stored>(column.field.name, column.field.number)
    guard let value = constant as? Self, let bounds = bounds(field, relation, value) else {
      return .unknown("comparison of \(field.name)")
    }
    let absent = column.absent as? Self
    return column.completed(bounds, ifAbsent: absent.flatMap { relation.holds($0, value) })
  }

  fileprivate static func bounds(_ column: Column, isOneOf constants: [Any?]) -> Bounds {
    let field = Field<Stored>(column.field.name, column.field.number)
    let values = constants.compactMap { $0 as? Self }
    let nilCount = constants.count { $0 == nil }
    guard values.count + nilCount == constants.count, let bounds = bounds(field, isOneOf: values)
    else { return .unknown("choice of \(field.name)") }
    let absent = column.absent as? Self
    return column.completed(bounds, ifAbsent: absent.map(values.contains) ?? (nilCount > 0))
  }
}

extension FieldDeclaration {
  /// True for rows in which the field is absent.
  fileprivate var isAbsent: Condition {
    switch kind {
    case .integer, .link: Field<Int64>(name, number) == nil
    case .boolean: Field<Bool>(name, number) == nil
    case .timestamp: Field<Timestamp>(name, number) == nil
    case .double: Field<Double>(name, number) == nil
    case .text: Field<String>(name, number) == nil
    case .texts: Field<Set<String>>(name, number) == nil
    case .reference: Field<TextReference>(name, number) == nil
    }
  }
}
