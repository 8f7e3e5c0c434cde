/// A field that a view is ordered by, and the direction.
public struct SortField: Hashable, Sendable {
  /// The direction of an order.
  public enum Direction: UInt8, Hashable, Sendable {
    /// `nil` comes first, then the smallest value.
    case ascending = 1
    /// The greatest value comes first, and `nil` last.
    case descending = 2
  }

  /// The field.
  public let field: FieldDeclaration
  /// The direction.
  public let direction: Direction

  /// An order by a field.
  public init(_ field: FieldDeclaration, _ direction: Direction) {
    self.field = field
    self.direction = direction
  }
}

extension Field {
  /// The order by this field in which `nil` comes first and then the smallest value: false before
  /// true, texts by the scalars of their NFC forms, NaN after all numbers.
  public var ascending: SortField { SortField(declaration, .ascending) }
  /// The reverse of ``ascending``.
  public var descending: SortField { SortField(declaration, .descending) }
}

extension [SortField] {
  /// The fields that affect the order: a repeated field decides nothing.
  package var effective: [SortField] {
    var seen: Set<FieldDeclaration> = []
    return filter { seen.insert($0.field).inserted }
  }
}
