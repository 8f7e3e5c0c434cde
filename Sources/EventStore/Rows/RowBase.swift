package import LMDB

/// The rows that are committed: a table of the views' file, and the reader it is read through.
package struct RowBase {
  /// Whoever keeps it renews it after each commit.
  package let reader: KeptReader
  /// Rows by their numbers, in ascending order.
  package let table: Table<UInt64, [UInt8]>

  /// The rows in a table as a reader sees them.
  package init(_ reader: KeptReader, _ table: Table<UInt64, [UInt8]>) {
    self.reader = reader
    self.table = table
  }

  /// The table that a collection's rows are in.
  package static func table(
    of collection: RowCollection, in environment: Environment
  ) throws(LMDBError) -> Table<UInt64, [UInt8]> {
    try environment.table("rows-\(collection.number)")
  }

  /// Calls `body` with the bytes of a row, or with `nil` where there is none.
  ///
  /// - Throws: ``RowError/storage(_:)`` where it can't be read, or isn't what was written.
  package func read<R>(_ id: UInt32, _ body: (RowView?) -> R) throws(RowError) -> R {
    do throws(LMDBError) {
      return try reader.read { loan throws(LMDBError) in
        guard let bytes = try loan.bytes(near: UInt64(id), in: table) else { return body(nil) }
        return body(try verified(bytes, id))
      }
    } catch {
      throw .storage(error)
    }
  }

  /// Calls `body` with each of some rows in ascending order of their numbers, or with `nil` where
  /// there is none.
  ///
  /// - Complexity: O(1), amortized, for a row that follows the one before; O(log n) for another.
  /// - Throws: As ``read(_:_:)``.
  package func read(
    _ rows: RowSet, _ body: (UInt32, RowView?) -> Void
  ) throws(RowError) {
    do throws(LMDBError) {
      try reader.read { loan throws(LMDBError) in
        var next: UInt32 = 0
        while let id = rows.first(from: next) {
          if let bytes = try loan.bytes(near: UInt64(id), in: table) {
            body(id, try verified(bytes, id))
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

  /// Calls `body` with each row in ascending order of the numbers.
  ///
  /// - Throws: As ``read(_:_:)``.
  package func forEach(_ body: (UInt32, RowView) -> Void) throws(RowError) {
    do throws(LMDBError) {
      try reader.read { loan throws(LMDBError) in
        var cursor = try loan.cursor(over: table)
        while try cursor.next() {
          let id = UInt32(truncatingIfNeeded: cursor.key.nativeInteger)
          body(id, try verified(cursor.value, id))
        }
      }
    } catch {
      throw .storage(error)
    }
  }

  /// The row that stored bytes are, if they are those that were written for its number.
  @_lifetime(copy bytes)
  private func verified(_ bytes: RawSpan, _ id: UInt32) throws(LMDBError) -> RowView {
    let row = RowView(bytes)
    guard bytes.byteCount >= RowFormat.Offset.slots,
      bytes.integer(UInt32.self, at: RowFormat.Offset.checksum) == row.checksum(id),
      row.idRange.upperBound <= bytes.byteCount
    else { throw LMDBError(.corrupted, "read row \(id) of \(table.name ?? "the unnamed table")") }
    return row
  }
}

extension RowView {
  /// The checksum of a row that lies under a number.
  @inline(__always)
  package func checksum(_ id: UInt32) -> UInt32 {
    Checksum.of(UInt64(id), bytes.extracting(RowFormat.Offset.idCount..<bytes.byteCount))
  }
}
