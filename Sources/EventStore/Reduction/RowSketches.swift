import LMDB

/// Rows that a reducer made from records alone, ahead of their turn: see ``Reducer/sketch(_:_:)``.
///
/// While one thread folds records, another sketches what the following ones will add.
public struct RowSketches: Sendable {
  /// The location of a row.
  private struct Place {
    let collection: UInt8
    let place: UInt32
    /// Whether its record sketches its id twice or failed to sketch it, so that no sketch is used.
    var isAmbiguous = false
  }

  /// The rows, one after another.
  private var rows = RowLayer(after: 0)
  private var places: [Place] = []
  /// The buffers in which a reducer makes names.
  package var spares = SpareBuffers()
  /// The start of each record's rows among the places.
  private var starts: [Int] = []
  private let first: RecordNumber

  /// Collects a reducer's sketches of the next records of a queue.
  ///
  /// - Parameter room: The bytes that they are likely to need.
  init(of queue: inout RecordQueue, by reducer: any Reducer, room: Int) {
    first = queue.place.number.advanced(by: 1)
    starts.reserveCapacity(RecordQueue.sliceMin)
    rows.reserve(bytes: room)
    queue.take(until: { true }) { record in
      starts.append(places.count)
      reducer.sketch(record, &self)
    }
  }

  /// The numbers of the records, which are all sketched or have no sketch.
  var numbers: Range<RecordNumber> { first..<first.advanced(by: starts.count) }
  /// The bytes that the rows take.
  var byteCount: Int { rows.byteCount }

  /// Sketches a row that the present record adds if no row has its id, given as UTF-8.
  ///
  /// If `fill` throws, or the row would become too large, the record has no sketch for the id. If a
  /// record sketches an id twice, neither sketch is used.
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
    do throws(E) { try row.fill(fill) } catch {
      giveUpLast(id, collection.shape, row)
      throw error
    }
    guard row.refused == nil else { return giveUpLast(id, collection.shape, row) }
    // The last row of an arena grows in place.
    rows.takeBack(row, 0, from: place)
  }

  /// Reduces the last row to a marker that its id has no usable sketch.
  private mutating func giveUpLast(
    _ id: RawSpan, _ shape: RowShape, _ row: consuming MutableRow
  ) {
    let last = places.count - 1
    rows.drop(row, from: Int(places[last].place) * 8)
    _ = rows.begin(id, shape)
    places[last].isAmbiguous = true
  }

  /// The end of the present record's sketches so far.
  package var end: Int { places.count }

  /// Removes the present record's sketches after an earlier end.
  package mutating func removeAll(after end: Int) {
    guard end < places.count else { return }
    rows.truncate(to: Int(places[end].place) * 8)
    places.removeLast(places.count - end)
  }

  /// Sketches the row of an id.
  public mutating func add<E: Error>(
    _ id: String, to collection: RowCollection, _ fill: (inout MutableRow) throws(E) -> Void
  ) throws(E) {
    try id.withBytes { id throws(E) in try add(id, to: collection, fill) }
  }

  /// Returns the index of the present record's earlier sketch of an id, if any.
  private func twin(of id: RawSpan, in collection: UInt8) -> Int? {
    range(of: starts.count - 1).first { index in
      places[index].collection == collection && rows.row(at: places[index].place).id.equals(id)
    }
  }

  /// Returns the place of the row sketched for an id and a record, if unambiguous.
  ///
  /// - Parameter record: The record's index among the records.
  @inline(__always)
  func place(of id: RawSpan, in collection: UInt8, for record: Int) -> UInt32? {
    for place in places[range(of: record)]
    where place.collection == collection && rows.row(at: place.place).id.equals(id) {
      return place.isAmbiguous ? nil : place.place
    }
    return nil
  }

  /// Calls `body` with the id and the place of each row sketched for a record, given by its index,
  /// until it returns `false`; returns whether it never did, and all rows are unambiguous.
  func forEachRow<E: Error>(
    of record: Int, in collection: UInt8, _ body: (RawSpan, UInt32) throws(E) -> Bool
  ) throws(E) -> Bool {
    for place in places[range(of: record)] where place.collection == collection {
      guard !place.isAmbiguous, try body(rows.row(at: place.place).id, place.place) else {
        return false
      }
    }
    return true
  }

  /// Creates a row that stays at its place here.
  func create(_ place: UInt32, in shelf: Shelf) -> RowID {
    shelf.table.create(sharing: place, of: rows)
  }

  /// Returns the index of a record that has sketches.
  @inline(__always)
  func index(of number: RecordNumber) -> Int? {
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
  /// Reserves memory for rows, so that none is copied while others are added.
  fileprivate mutating func reserve(bytes: Int) { arena.reserveCapacity(bytes) }

  /// Begins a row without values at the end of the arena and returns its place.
  fileprivate mutating func begin(_ id: RawSpan, _ shape: RowShape) -> UInt32 {
    let place = beginRow()
    RowFormat.append(id, shape.fieldCount, to: &arena)
    endRow(at: place)
    return place
  }

  /// Takes back what was lent with a row, without that row at the end of the arena.
  fileprivate mutating func drop(_ row: consuming MutableRow, from end: Int) {
    swap(&arena, &row.arena)
    swap(&spares, &row.spares)
    truncate(to: end)
  }
}
