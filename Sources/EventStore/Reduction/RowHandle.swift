/// A reducer's reference to a row: its collection and the row within it.
///
/// A handle is valid within one call of a reducer. To find the row again later, keep its id, or a
/// link in a hidden field.
public struct RowHandle: Hashable, Sendable {
  /// The collection's place among the reducer's.
  package let collection: UInt8
  /// The row.
  public let row: RowID

  package init(collection: UInt8, row: RowID) {
    self.collection = collection
    self.row = row
  }
}
