package import LMDB

/// A frame's changes to a collection's rows, to be written while the next frame continues.
package struct FrozenRows: Sendable {
  /// The collection of the rows.
  package let collection: RowCollection
  /// The totals of all rows at the end of the frame.
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

  /// The number of rows to write.
  package var count: Int { layer.count }

  /// Writes the rows, appends those created, and applies sweeps to the remaining rows; returns how
  /// much the sweeps add to the hash of all rows.
  ///
  /// It may run again if the transaction does.
  ///
  /// - Complexity: O(m log n) for m rows that existed before, and O(1) for each new one; O(n) if
  ///   there is a sweep.
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
      // A row that shrank to its id frees its space only if it is removed first, which merges
      // nearly empty pages.
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
  /// Begins a new frame and sets this frame's changes aside to be written meanwhile.
  ///
  /// - Complexity: O(1)
  /// - Precondition: No batch is under way, and the previously frozen frame is committed.
  package mutating func freeze() -> FrozenRows {
    precondition(notes.isIdle, "a batch is under way")
    precondition(frozen.count == 0, "the frame before is not committed")
    swap(&frozen, &dirty)
    swap(&dirty, &spare)
    dirty.restart(after: totals.lastID)
    return FrozenRows(collection, totals, frozen, freezeSweeps())
  }

  /// Notes that the frozen frame is committed and the reader renewed since.
  ///
  /// Release the result of ``freeze()`` before calling this, so that its memory can be reused.
  package mutating func committed() {
    frozen.empty()
    swap(&frozen, &spare)
    commitSweeps()
  }
}
