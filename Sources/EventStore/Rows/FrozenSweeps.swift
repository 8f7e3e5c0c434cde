import LMDB
import Synchronization

/// The sweeps applied to the remaining rows as a frame is written.
final class FrozenSweeps: Sendable {
  let sweeps: [Sweep]
  private let found = Mutex(0 as UInt64)

  init(_ sweeps: [Sweep]) { self.sweeps = sweeps }

  /// How much the sweeps add to the hash of all rows, once the frame is written.
  var hash: UInt64 { found.withLock { $0 } }

  /// The number of rows changed before more are read.
  private static let sliceMax = 1_024

  /// Writes the rows of a table that the sweeps change, except those for which `isWritten` holds;
  /// notes how much this adds to the hash of all rows.
  ///
  /// - Complexity: O(rows)
  func write(
    to transaction: inout WriteTransaction, _ table: Table<UInt64, [UInt8]>, _ shape: RowShape,
    unless isWritten: (UInt32) -> Bool
  ) throws(LMDBError) {
    var slice = Slice()
    repeat {
      slice.restart()
      try read(&slice, transaction, table, shape, isWritten)
      for (id, range) in slice.rows {
        var room = try transaction.reserve(range.count, for: UInt64(id), in: table)
        room.store(copying: slice.bytes.raw.extracting(range), at: 0)
      }
    } while slice.rows.count == Self.sliceMax
    let hash = slice.hash
    found.withLock { $0 = hash }
  }

  /// Rows in the form to be written.
  private struct Slice {
    var rows: [(id: UInt32, range: Range<Int>)] = []
    var bytes: [UInt8] = []
    /// The next row to read.
    var next: UInt64 = 0
    var hash: UInt64 = 0

    mutating func append(_ packed: [UInt8], _ id: UInt32) {
      rows.append((id, bytes.count..<(bytes.count + packed.count)))
      bytes.append(copying: packed.raw)
    }

    mutating func restart() {
      rows.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
    }
  }

  private func read(
    _ slice: inout Slice, _ transaction: borrowing WriteTransaction,
    _ table: Table<UInt64, [UInt8]>, _ shape: RowShape, _ isWritten: (UInt32) -> Bool
  ) throws(LMDBError) {
    var cursor = try transaction.cursor(over: table)
    var (row, packed): ([UInt8], [UInt8]) = ([], [])
    var isThere = try cursor.seek(slice.next)
    while isThere, slice.rows.count < Self.sliceMax {
      let key = cursor.key.nativeInteger
      let id = UInt32(truncatingIfNeeded: key)
      slice.next = key + 1
      if !isWritten(id) {
        try PackedRow.unpack(cursor.value, id, of: table, shape, into: &row)
        if sweeps.changes(RowView(row.raw), by: sweeps.indices) {
          slice.hash &-= RowView(row.raw).hash(shape)
          _ = sweeps.change(sweeps.indices, of: &row, at: 0)
          slice.hash &+= RowView(row.raw).hash(shape)
          PackedRow.pack(RowView(row.raw), shape, id, into: &packed)
          slice.append(packed, id)
        }
      }
      isThere = try cursor.next()
    }
  }
}
