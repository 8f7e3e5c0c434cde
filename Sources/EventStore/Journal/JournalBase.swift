package import LMDB

/// The part of the journal that is committed: a table of the views' file, and the reader it is read
/// through.
package struct JournalBase {
  /// Whoever keeps it renews it after each commit.
  package let reader: KeptReader
  /// Blocks by their keys, and the catalog.
  package let table: Table<UInt64, [UInt8]>

  /// The journal in a table as a reader sees it.
  package init(_ reader: KeptReader, _ table: Table<UInt64, [UInt8]>) {
    self.reader = reader
    self.table = table
  }

  /// The table that the journal is in.
  package static func table(
    in environment: Environment
  ) throws(LMDBError) -> Table<UInt64, [UInt8]> {
    try environment.table("journal")
  }

  /// What was written last, or a catalog of nothing.
  func catalog() throws(LMDBError) -> JournalCatalog {
    try reader.read { loan throws(LMDBError) in
      guard let bytes = try loan.bytes(for: 0, in: table) else { return JournalCatalog() }
      guard let catalog = JournalCatalog(bytes) else {
        throw LMDBError(.corrupted, "read the journal's catalog")
      }
      return catalog
    }
  }

  /// Calls `body` with each block of a stream that holds events behind a number, in their order,
  /// and with the last of its events.
  func forEachBlock(
    of stream: JournalStream, after number: UInt64,
    _ body: (inout JournalBlock, _ last: UInt64) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    try reader.read { loan throws(LMDBError) in
      var cursor = try loan.cursor(over: table, in: .from((number + 1) << 16))
      while try cursor.next() {
        let key = cursor.key.nativeInteger
        guard UInt16(truncatingIfNeeded: key) == stream.rawValue else { continue }
        guard JournalBlock.isSound(cursor.value, key) else { throw JournalBlock.malformed(stream) }
        var block = try JournalBlock(cursor.value, stream)
        try body(&block, key >> 16)
      }
    }
  }

  /// Calls `body` with key and size of each block behind a number, until it says that it is enough.
  func forEachKey(
    after number: UInt64, _ body: (UInt64, Int) -> Bool
  ) throws(LMDBError) {
    try reader.read { loan throws(LMDBError) in
      var cursor = try loan.cursor(over: table, in: .from((number + 1) << 16))
      while try cursor.next() {
        guard body(cursor.key.nativeInteger, cursor.value.byteCount) else { return }
      }
    }
  }
}
