extension Row {
  /// Returns a field's value as human-readable text; `nil` if the row has none or the field is
  /// hidden.
  ///
  /// - Complexity: O(bytes of the value)
  public func text(of field: FieldDeclaration) -> String? {
    switch value(of: field) {
    case nil, .null?: nil
    case .integer(let value)? where field.kind == .timestamp:
      Timestamp(rawValue: value).description
    case .integer(let value)?: String(value)
    case .boolean(let value)?: String(value)
    case .double(let value)?: String(value)
    case .text(let value)?: value
    case .list(let items)?: "[\(items.map(\.listed).joined(separator: ", "))]"
    case .fields(let reference)?: Self.text(of: reference)
    case .bytes(let value)?: "\(value.count) bytes"
    }
  }

  /// Returns a field's reference to the log; `nil` if it has no value or stores its own.
  ///
  /// - Complexity: O(1)
  public func reference(of field: FieldDeclaration) -> TextReference? {
    guard case .fields(let reference)? = value(of: field),
      case .integer(let digest)? = reference[1], case .integer(let place)? = reference[2]
    else { return nil }
    let word = UInt64(bitPattern: place)
    return TextReference(
      record: RecordNumber(rawValue: word >> 16), field: UInt16(truncatingIfNeeded: word),
      digest: UInt64(bitPattern: digest))
  }

  /// The visible values, by field number.
  ///
  /// - Complexity: O(bytes of the row)
  public var values: PayloadFields { view.values(shape.visible, shape) }

  /// Returns the visible value of a field; `nil` if the row has none.
  ///
  /// - Complexity: O(bytes of the value)
  func value(of field: FieldDeclaration) -> PayloadValue? {
    guard let kind = kind(of: field.index), kind != .link else { return nil }
    var value: PayloadValue?
    view.withStored(ofItsKind: field.index, kind, shape) { value = PayloadValue($0, kind) }
    return value
  }

  /// Returns the row as JSON text: an object of its id and its values by field name.
  ///
  /// Timestamps are formatted as in RFC 3339; a reference to the log shows the record.
  public func json(_ collection: RowCollection) -> String {
    JSONWriter.text { json in json.row(self, collection) }
  }

  private static func text(of reference: PayloadFields) -> String {
    guard case .integer(let place)? = reference[2] else { return "a text" }
    return "a text in #\(UInt64(bitPattern: place) >> 16)"
  }
}

extension PayloadValue {
  fileprivate var listed: String { if case .text(let text) = self { text } else { "?" } }
}

extension JSONWriter {
  /// Writes a row in the format of ``Row/json(_:)``, with the names of lists, if given, as `lists`.
  package mutating func row(
    _ row: Row, _ collection: RowCollection, in lists: [ListName]? = nil
  ) {
    let values = row.values
    object { json in
      json.member("id", row.id)
      for field in collection.fields {
        guard let value = values[field.number] else { continue }
        json.member(field.name) { $0.value(value, of: field, row) }
      }
      if let lists { json.member("lists", lists.map(\.description)) }
    }
  }

  private mutating func value(_ value: PayloadValue, of field: FieldDeclaration, _ row: Row) {
    switch value {
    case .integer(let number) where field.kind != .timestamp: self.number(number)
    case .boolean(let flag): boolean(flag)
    case .double(let double): number(double)
    case .list(let items):
      array { json in
        for case .text(let text) in items { json.string(text) }
      }
    default: string(row.text(of: field) ?? "")
    }
  }
}
