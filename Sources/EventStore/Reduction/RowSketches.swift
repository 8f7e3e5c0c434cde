import LMDB

/// Rows that a reducer made of records alone, before their turn: see ``Reducer/sketch(_:_:)``.
///
/// While one thread folds records, another sketches what those to come are going to add.
public struct RowSketches: Sendable {
  /// Where a row is.
  private struct Place {
    let collection: UInt8
    let place: UInt32
    /// Whether its record sketches another of its id, or could not sketch it, so that none is used.
    var isAmbiguous = false
  }

  /// The rows, one behind the other.
  private var rows = RowLayer(after: 0)
  private var places: [Place] = []
  /// For each record, where its own begin among the places.
  private var starts: [Int] = []
  private let first: RecordNumber

  /// What a reducer sketches of records.
  init(of records: WrittenRecords, by reducer: any Reducer) {
    first = records.start.number.advanced(by: 1)
    var queue = RecordQueue(records)
    while !queue.isEmpty {
      queue.take(until: { false }) { record in
        starts.append(places.count)
        reducer.sketch(record, &self)
      }
    }
  }

  /// Sketches a row that the present record adds where none has its id, given by its UTF-8.
  ///
  /// Where `fill` throws, or the row would become too large, nothing is sketched of the id by that
  /// record; where a record sketches two of an id, neither is used.
  ///
  /// - Complexity: O(*n*) in the row's bytes.
  public mutating func add<E: Error>(
    _ id: RawSpan, to collection: RowCollection, _ fill: (inout MutableRow) throws(E) -> Void
  ) throws(E) {
    guard 1...RowFormat.idBytesMax ~= id.byteCount else { return }
    if let twin = twin(of: id, in: collection.number) { return places[twin].isAmbiguous = true }
    let place = rows.begin(id, collection.shape)
    places.append(Place(collection: collection.number, place: place))
    var row = rows.lendRow(at: place, collection.shape)
    do throws(E) { try fill(&row) } catch {
      giveUpLast(id, collection.shape, row)
      throw error
    }
    guard row.refused == nil else { return giveUpLast(id, collection.shape, row) }
    // The last row of an arena grows where it is.
    rows.takeBack(row, 0, from: place)
  }

  /// Leaves of the last row only that it was to be sketched: another of its id is not it.
  private mutating func giveUpLast(
    _ id: RawSpan, _ shape: RowShape, _ row: consuming MutableRow
  ) {
    let last = places.count - 1
    rows.drop(row, from: Int(places[last].place) * 8)
    _ = rows.begin(id, shape)
    places[last].isAmbiguous = true
  }

  /// Sketches the row of an id, as its namesake does.
  public mutating func add<E: Error>(
    _ id: String, to collection: RowCollection, _ fill: (inout MutableRow) throws(E) -> Void
  ) throws(E) {
    try id.withBytes { id throws(E) in try add(id, to: collection, fill) }
  }

  /// Where the present record has sketched a row of that id already.
  private func twin(of id: RawSpan, in collection: UInt8) -> Int? {
    range(of: starts.count - 1).first { index in
      places[index].collection == collection && rows.row(at: places[index].place).id.equals(id)
    }
  }

  /// Where the row of an id is that was sketched for a record, if it is known which is meant.
  ///
  /// - Parameter record: Its place among the records.
  @inline(__always)
  fileprivate func place(of id: RawSpan, in collection: UInt8, for record: Int) -> UInt32? {
    for place in places[range(of: record)]
    where place.collection == collection && rows.row(at: place.place).id.equals(id) {
      return place.isAmbiguous ? nil : place.place
    }
    return nil
  }

  /// Creates a row that is as one that was sketched.
  func create(_ sketch: ReducerState.Sketch, in shelf: Shelf) -> RowID {
    shelf.table.create(copying: rows.row(at: sketch.place))
  }

  /// The place among the records of one that has anything sketched.
  @inline(__always)
  fileprivate func index(of number: RecordNumber) -> Int? {
    guard number >= first else { return nil }
    let index = first.distance(to: number)
    return index < starts.count && !range(of: index).isEmpty ? index : nil
  }

  @inline(__always)
  private func range(of record: Int) -> Range<Int> {
    starts[record]..<(record + 1 < starts.count ? starts[record + 1] : places.count)
  }
}

extension RowLayer {
  /// Begins a row without values at the end of the arena, and returns its place.
  fileprivate mutating func begin(_ id: RawSpan, _ shape: RowShape) -> UInt32 {
    let place = beginRow()
    RowFormat.append(id, shape.fieldCount, to: &arena)
    endRow(at: place)
    return place
  }

  /// Takes back the arena, without the row that was lent and ended it.
  fileprivate mutating func drop(_ row: consuming MutableRow, from end: Int) {
    swap(&arena, &row.arena)
    truncate(to: end)
  }
}

extension ReducerState {
  /// Where a row is that was sketched.
  struct Sketch {
    /// Among the sketches.
    let part: Int
    /// Among the rows of these.
    let place: UInt32
  }

  /// What was sketched of the row of an id for a record.
  func sketch(
    of id: RawSpan, in collection: RowCollection, for number: RecordNumber
  ) -> Sketch? {
    let parts = sketches.span
    for part in parts.indices {
      guard let record = parts[part].index(of: number) else { continue }
      let place = parts[part].place(of: id, in: collection.number, for: record)
      return place.map { Sketch(part: part, place: $0) }
    }
    return nil
  }
}
