import LMDB

/// Rows that a reducer made of records alone, before their turn: see ``Reducer/sketch(_:_:)``.
///
/// While one thread folds records, another sketches what those to come are going to add.
public struct RowSketches: Sendable {
  /// Where a row is.
  private struct Place {
    let collection: UInt8
    let place: UInt32
    /// Whether its record sketches another of its id, so that it is not known which is meant.
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
  /// Where `fill` throws, or the row would become too large, nothing is sketched; where a record
  /// sketches two of an id, neither is used.
  ///
  /// - Complexity: O(*n*) in the row's bytes.
  public mutating func add<E: Error>(
    _ id: RawSpan, to collection: RowCollection, _ fill: (inout MutableRow) throws(E) -> Void
  ) throws(E) {
    guard 1...RowFormat.idBytesMax ~= id.byteCount else { return }
    if let twin = twin(of: id, in: collection.number) { return places[twin].isAmbiguous = true }
    let end = rows.arena.count
    let place = rows.beginRow()
    RowFormat.append(id, collection.shape.fieldCount, to: &rows.arena)
    rows.endRow(at: place)
    var row = rows.lendRow(at: place, collection.shape)
    do throws(E) { try fill(&row) } catch {
      rows.drop(row, from: end)
      throw error
    }
    guard row.refused == nil else { return rows.drop(row, from: end) }
    // The last row of an arena grows where it is.
    rows.takeBack(row, 0, from: place)
    places.append(Place(collection: collection.number, place: place))
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

  /// Has a row of a collection take what was sketched of it for a record; says whether it does.
  @inline(__always)
  fileprivate func fill(_ row: inout MutableRow, of collection: UInt8, for record: Int) -> Bool {
    for place in places[range(of: record)]
    where place.collection == collection && !place.isAmbiguous {
      if row.become(rows.row(at: place.place)) { return true }
    }
    return false
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
  /// Takes back the arena, without the row that was lent and ended it.
  fileprivate mutating func drop(_ row: consuming MutableRow, from end: Int) {
    swap(&arena, &row.arena)
    truncate(to: end)
  }
}

extension State {
  /// Gives a row without values those that were sketched of a record, where a row with its id was;
  /// says whether it has them.
  ///
  /// - Complexity: O(*n*) in the row's bytes.
  public mutating func takeSketch(of number: RecordNumber, for row: RowHandle) -> Bool {
    additions += 1
    for part in sketches.indices {
      guard let record = sketches[part].index(of: number) else { continue }
      return take(part, record, for: row)
    }
    return false
  }

  private mutating func take(_ part: Int, _ record: Int, for row: RowHandle) -> Bool {
    let shelf = touch(row.collection)
    let collection = shelf.collection.number
    var isTaken = false
    do throws(RowError) {
      try shelf.table.edit(row.row) {
        isTaken = sketches[part].fill(&$0, of: collection, for: record)
      }
    } catch {
      fail(error)
    }
    return isTaken
  }
}
