import LMDB

/// A collection's rows, shared by all that fold and read them; a table can't be copied and
/// therefore can't be in an array.
final class Shelf {
  private let cell: Cell<RowTable>
  let collection: RowCollection
  let shape: RowShape
  /// The number of bytes of changes counted when the last batch ended.
  var countedBytes = 0

  init(_ table: consuming RowTable) {
    (collection, shape) = (table.collection, table.shape)
    cell = Cell(table)
  }

  /// The rows and their changes.
  var table: RowTable {
    @inline(__always) _read { yield cell.value }
    @inline(__always) _modify { yield &cell.value }
  }
}
