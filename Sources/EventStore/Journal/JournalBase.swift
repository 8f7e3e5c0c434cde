package import LMDB

/// The committed part of the journal: a table in the views' file, and the reader to access it.
package struct JournalBase {
  /// The reader, which its owner renews after each commit.
  package let reader: KeptReader
  /// The table of blocks by key, and the catalog.
  package let table: Table<UInt64, [UInt8]>

  /// Creates the base of the journal in a table, as seen by a reader.
  package init(_ reader: KeptReader, _ table: Table<UInt64, [UInt8]>) {
    self.reader = reader
    self.table = table
  }

  /// Opens the journal's table.
  package static func table(
    in environment: Environment
  ) throws(LMDBError) -> Table<UInt64, [UInt8]> {
    try environment.table("journal")
  }

  /// Returns the catalog written last, or an empty one.
  func catalog() throws(LMDBError) -> JournalCatalog {
    try reader.read { loan throws(LMDBError) in
      guard let bytes = try loan.bytes(for: 0, in: table) else { return JournalCatalog() }
      guard let catalog = JournalCatalog(bytes) else {
        throw LMDBError(.corrupted, "read the journal's catalog")
      }
      return catalog
    }
  }

  /// Calls `body` with each block of a stream that contains events after a number, in order, and
  /// with the block's last event.
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

  /// Calls `body` with the key and the size of each block after a number, until it returns `false`.
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
