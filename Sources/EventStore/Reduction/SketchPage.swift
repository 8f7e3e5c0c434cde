import LMDB

/// Finished sketches of a few records, behind one reference: a copy of them would count four for
/// each row.
final class SketchPage: Sendable {
  private let rows: RowSketches

  init(_ rows: RowSketches) { self.rows = rows }

  /// The numbers of the records.
  var numbers: Range<RecordNumber> { rows.numbers }
  /// The bytes that the rows take.
  var byteCount: Int { rows.byteCount }

  /// Returns the place of the row sketched for an id and a record, if unambiguous.
  func place(
    of id: RawSpan, in collection: RowCollection, for number: RecordNumber
  ) -> UInt32? {
    guard let record = rows.index(of: number) else { return nil }
    return rows.place(of: id, in: collection.number, for: record)
  }

  /// Creates a sketched row.
  func create(_ place: UInt32, in shelf: Shelf) -> RowID { rows.create(place, in: shelf) }

  /// Calls `body` with the id and the place of each row sketched for a record in a collection until
  /// it returns `false`; returns whether it never did, and all rows are unambiguous.
  func forEachRow<E: Error>(
    for number: RecordNumber, in collection: RowCollection,
    _ body: (_ id: RawSpan, _ place: UInt32) throws(E) -> Bool
  ) throws(E) -> Bool {
    guard let record = rows.index(of: number) else { return true }
    return try rows.forEachRow(of: record, in: collection.number, body)
  }
}

extension ReducerState {
  /// The location of a sketched row.
  struct Sketch {
    let page: SketchPage
    /// The row's place on the page.
    let place: UInt32
  }

  /// Returns the sketch of the row with an id for a record.
  mutating func sketch(
    of id: RawSpan, in collection: RowCollection, for number: RecordNumber
  ) -> Sketch? {
    guard let page = sketches.page(for: number),
      let place = page.place(of: id, in: collection, for: number)
    else { return nil }
    return Sketch(page: page, place: place)
  }
}
