/// What a reducer holds of a row: which collection it is in, and which row it is there.
///
/// Good within one call of a reducer; what is to be found again later is kept as the row's id, or
/// as a link in a hidden field.
public struct RowHandle: Hashable, Sendable {
  /// The collection, by its place among the reducer's.
  package let collection: UInt8
  /// The row.
  public let row: RowID

  package init(collection: UInt8, row: RowID) {
    self.collection = collection
    self.row = row
  }
}
