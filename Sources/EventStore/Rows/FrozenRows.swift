package import LMDB

/// What a frame changed in a collection's rows, to be written while the next frame goes on.
package struct FrozenRows: Sendable {
  /// Whose rows these are.
  package let collection: RowCollection
  /// What all rows are together, at the end of the frame.
  package let totals: RowTotals
  private let layer: RowLayer
  private let sweeps: FrozenSweeps?

  init(
    _ collection: RowCollection, _ totals: RowTotals, _ layer: RowLayer, _ sweeps: FrozenSweeps?
  ) {
    self.collection = collection
    self.totals = totals
    self.layer = layer
    self.sweeps = sweeps
  }

  /// How many rows there are to write.
  package var count: Int { layer.count }

  /// Writes the rows, those that were created behind the last, and those that learn of a sweep now;
  /// returns how much the hash of all rows becomes more by that.
  ///
  /// It may run again where the transaction does.
  ///
  /// - Complexity: O(m log n) for m rows that were there before, and O(1) for each new one; O(n)
  ///   where there is a sweep.
  @discardableResult
  package func write(
    to transaction: inout WriteTransaction, _ table: Table<UInt64, [UInt8]>
  ) throws(LMDBError) -> UInt64 {
    let (layer, shape) = (layer, collection.shape)
    try sweeps?.write(to: &transaction, table, shape) { layer.place(of: $0) != nil }
    try writeLayer(to: &transaction, table)
    return sweeps?.hash ?? 0
  }

  private func writeLayer(
    to transaction: inout WriteTransaction, _ table: Table<UInt64, [UInt8]>
  ) throws(LMDBError) {
    var packed: [UInt8] = []
    try layer.old.forEach { id, place throws(LMDBError) in
      pack(id, place, into: &packed)
      // Of a row that shrank to its id the room is used again only where it was taken out: pages
      // that are nearly empty are joined then.
      if !layer.row(at: place).isPresent { try transaction.remove(UInt64(id), from: table) }
      var room = try transaction.reserve(packed.count, for: UInt64(id), in: table)
      room.store(copying: packed.raw, at: 0)
    }
    guard !layer.new.isEmpty else { return }
    var appender = try transaction.appender(to: table)
    for (index, place) in layer.new.enumerated() {
      let id = layer.firstNew + UInt32(index)
      pack(id, place, into: &packed)
      var room = try appender.reserve(packed.count, for: UInt64(id))
      room.store(copying: packed.raw, at: 0)
    }
  }

  private func pack(_ id: UInt32, _ place: UInt32, into bytes: inout [UInt8]) {
    PackedRow.pack(layer.row(at: place), collection.shape, id, into: &bytes)
  }
}

extension RowTable {
  /// Begins a new frame: what this one changed is set aside, to be written meanwhile.
  ///
  /// - Complexity: O(1)
  /// - Precondition: No batch is under way, and what was frozen before is committed.
  package mutating func freeze() -> FrozenRows {
    precondition(notes.isIdle, "a batch is under way")
    precondition(frozen.count == 0, "the frame before is not committed")
    swap(&frozen, &dirty)
    swap(&dirty, &spare)
    dirty.restart(after: totals.lastID)
    return FrozenRows(collection, totals, frozen, freezeSweeps())
  }

  /// Notes that what was frozen is committed, and that the reader has been renewed since.
  ///
  /// Let go of what ``freeze()`` returned before, so that its memory can be used again.
  package mutating func committed() {
    frozen.empty()
    swap(&frozen, &spare)
    commitSweeps()
  }
}
