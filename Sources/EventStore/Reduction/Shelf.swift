import LMDB

/// Where a collection's rows are kept for all who fold and read them: a table can't be copied, and
/// so not stand in an array.
final class Shelf {
  var table: RowTable
  let collection: RowCollection
  let shape: RowShape
  /// How many bytes of changes were counted in when the last batch ended.
  var countedBytes = 0

  init(_ table: consuming RowTable) {
    (collection, shape) = (table.collection, table.shape)
    self.table = table
  }
}
