/// Where a collection's rows are kept for all who fold and read them: a table can't be copied, and
/// so not stand in an array.
final class Shelf {
  var table: RowTable
  let collection: RowCollection

  init(_ table: consuming RowTable) {
    collection = table.collection
    self.table = table
  }
}
