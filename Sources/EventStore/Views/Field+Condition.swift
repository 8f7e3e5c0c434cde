extension Field {
  /// True for rows whose field has this value, or has none if the value is `nil`.
  ///
  /// - Precondition: The field holds no set and no reference, unless the value is `nil`.
  public static func == (field: Field, value: Value?) -> Condition {
    guard let value else { return !Condition(.isPresent(field.declaration)) }
    field.requireValue()
    return Condition(.comparison(field.declaration, .equal, value.constant))
  }

  /// True for rows whose field has another value or none, or has any value if the value is `nil`.
  ///
  /// - Precondition: The field holds no set and no reference, unless the value is `nil`.
  public static func != (field: Field, value: Value?) -> Condition { !(field == value) }

  /// True for rows whose field has one of these values.
  ///
  /// - Precondition: The field holds no set and no reference.
  public func isOne(of values: some Sequence<Value>) -> Condition {
    requireValue()
    return Condition(.isOneOf(declaration, values.map(\.constant)))
  }

  private func requireValue() {
    precondition(
      declaration.kind != .texts && declaration.kind != .reference,
      "field \(name) holds \(declaration.kind): a condition can't ask what it is equal to")
  }
}

/// Enums compare by their raw values.
extension Field where Value: Comparable {
  /// True for rows whose field has a smaller value.
  public static func < (field: Field, value: Value) -> Condition {
    Condition(.comparison(field.declaration, .less, value.constant))
  }

  /// True for rows whose field has this or a smaller value.
  public static func <= (field: Field, value: Value) -> Condition {
    Condition(.comparison(field.declaration, .lessOrEqual, value.constant))
  }

  /// True for rows whose field has a greater value.
  public static func > (field: Field, value: Value) -> Condition {
    Condition(.comparison(field.declaration, .greater, value.constant))
  }

  /// True for rows whose field has this or a greater value.
  public static func >= (field: Field, value: Value) -> Condition {
    Condition(.comparison(field.declaration, .greaterOrEqual, value.constant))
  }
}

extension Field where Value: StringProtocol {
  /// True for rows whose text begins with `prefix`, by `String.hasPrefix(_:)`.
  public func hasPrefix(_ prefix: String) -> Condition {
    Condition(.hasPrefix(declaration, prefix))
  }
}

extension Field where Value: Sequence<String> {
  /// True for rows whose texts contain this one.
  public func contains(_ text: String) -> Condition { intersects([text]) }

  /// True for rows whose texts contain at least one of these.
  public func intersects(_ texts: some Sequence<String>) -> Condition {
    Condition(.intersects(declaration, Array(texts)))
  }
}
