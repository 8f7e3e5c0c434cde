/// A typed handle for a field of a collection's rows.
///
///     extension Item {
///       static let date = Field<Timestamp>("date", 1)
///     }
///     row[Item.date]
public struct Field<Value: FieldValue>: Hashable, Sendable {
  /// The field's name.
  public let name: String
  /// The field's number within its collection, from 1, which identifies the field in stored bytes.
  public let number: Int

  /// Creates a field.
  ///
  /// - Precondition: The number is 1 to ``RowFormat/fieldCountMax``.
  public init(_ name: String, _ number: Int) {
    precondition(
      1...RowFormat.fieldCountMax ~= number,
      "field \(name) has number \(number), not 1 to \(RowFormat.fieldCountMax)")
    self.name = name
    self.number = number
  }

  /// The field without its type.
  public var declaration: FieldDeclaration {
    FieldDeclaration(name: name, number: number, kind: Value.fieldKind)
  }

  @usableFromInline var index: Int { number - 1 }
}

/// The name and kind of a field.
public struct FieldDeclaration: Hashable, Sendable, Codable {
  /// The field's name.
  public let name: String
  /// The field's number within its collection, from 1.
  public let number: Int
  /// The kind of the field's values.
  public let kind: FieldKind

  /// Whether only reducers see the field.
  public var isHidden: Bool { kind == .link }

  package var index: Int { number - 1 }
}
