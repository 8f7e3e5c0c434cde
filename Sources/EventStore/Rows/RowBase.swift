package import LMDB

/// The committed rows: a table of the views' file and the reader used to read it.
package final class RowBase {
  /// The reader, which the owner renews after each commit.
  package let reader: KeptReader
  /// The packed rows by number, in ascending order.
  package let table: Table<UInt64, [UInt8]>
  private let shape: RowShape
  private let lastRead = LastRead()

  /// Creates the base for a collection's rows in a table, as a reader sees them.
  package init(
    _ reader: KeptReader, _ table: Table<UInt64, [UInt8]>, of collection: RowCollection
  ) {
    self.reader = reader
    self.table = table
    shape = collection.shape
  }

  /// Returns the table of a collection's rows.
  package static func table(
    of collection: RowCollection, in environment: Environment
  ) throws(LMDBError) -> Table<UInt64, [UInt8]> {
    try environment.table("rows-\(collection.number)")
  }

  /// Calls `body` with the bytes of a row, or with `nil` if there is none.
  ///
  /// - Complexity: O(1) for the row read last, O(log n) for others.
  /// - Throws: ``RowError/storage(_:)`` if the row can't be read or is corrupted.
  package func read<R>(_ id: UInt32, _ body: (RowView?) -> R) throws(RowError) -> R {
    var row = lastRead.take()
    defer { lastRead.put(row) }
    if row.id != id || row.state != reader.state {
      row.id = nil
      guard try find(id, &row.bytes) else { return body(nil) }
      (row.id, row.state) = (id, reader.state)
    }
    return body(RowView(row.bytes.raw))
  }

  /// Unpacks a row; returns whether it exists.
  private func find(_ id: UInt32, _ row: inout [UInt8]) throws(RowError) -> Bool {
    do throws(LMDBError) {
      return try reader.read { loan throws(LMDBError) in
        guard let bytes = try loan.bytes(near: UInt64(id), in: table) else { return false }
        try unpack(bytes, id, &row)
        return true
      }
    } catch {
      throw .storage(error)
    }
  }

  /// Calls `body` with each of some rows in ascending order of their numbers, or with `nil` for a
  /// missing row.
  ///
  /// - Complexity: O(1), amortized, for a row that follows the one before; O(log n) for others.
  /// - Throws: As ``read(_:_:)``.
  package func read(
    _ rows: RowSet, _ body: (UInt32, RowView?) -> Void
  ) throws(RowError) {
    do throws(LMDBError) {
      try reader.read { loan throws(LMDBError) in
        var (next, row) = (0 as UInt32, [] as [UInt8])
        while let id = rows.first(from: next) {
          if let bytes = try loan.bytes(near: UInt64(id), in: table) {
            try unpack(bytes, id, &row)
            body(id, RowView(row.raw))
          } else {
            body(id, nil)
          }
          next = id + 1
        }
      }
    } catch {
      throw .storage(error)
    }
  }

  /// Calls `body` with each row, or each from a key on, in ascending order of the keys, whose lower
  /// halves are the rows' numbers.
  ///
  /// - Throws: As ``read(_:_:)``.
  package func forEach(
    from key: UInt64 = 0, _ body: (UInt32, RowView) -> Void
  ) throws(RowError) {
    do throws(LMDBError) {
      try reader.read { loan throws(LMDBError) in
        var cursor = try loan.cursor(over: table)
        var row: [UInt8] = []
        var isThere = try cursor.seek(key)
        while isThere {
          let id = UInt32(truncatingIfNeeded: cursor.key.nativeInteger)
          try unpack(cursor.value, id, &row)
          body(id, RowView(row.raw))
          isThere = try cursor.next()
        }
      }
    } catch {
      throw .storage(error)
    }
  }

  /// Unpacks stored bytes, if they are intact.
  private func unpack(
    _ bytes: RawSpan, _ id: UInt32, _ row: inout [UInt8]
  ) throws(LMDBError) {
    try PackedRow.unpack(bytes, id, of: table, shape, into: &row)
  }
}

/// The row read last, cached since rows are read field by field; empty while borrowed.
private final class LastRead {
  struct Row {
    /// The row's number, if any.
    var id: UInt32?
    /// The reader's state when the row was read.
    var state = 0
    var bytes: [UInt8] = []
  }

  private let row = Cell(Row())

  func take() -> Row {
    var taken = Row()
    swap(&taken, &row.value)
    return taken
  }

  func put(_ row: consuming Row) { self.row.value = row }
}
