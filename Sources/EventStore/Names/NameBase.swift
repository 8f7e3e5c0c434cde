package import LMDB

/// The committed part of a ``NameIndex``, read through a reader that its owner renews.
package struct NameBase {
  let reader: KeptReader
  let table: Table<UInt64, [UInt8]>

  /// Creates a base from the content of a table as a reader sees it.
  package init(_ reader: KeptReader, _ table: Table<UInt64, [UInt8]>) {
    (self.reader, self.table) = (reader, table)
  }

  /// Calls `body` with the bytes that are stored at a key.
  ///
  /// - Throws: `undecodable` if there are none, or if `body` rejects them by returning `nil`.
  func read<R>(_ key: UInt64, _ body: (RawSpan) -> R?) throws(LMDBError) -> R {
    let result = try reader.read { loan throws(LMDBError) -> R? in
      guard let bytes = try loan.bytes(for: key, in: table) else { return nil }
      return body(bytes)
    }
    guard let result else { throw damage(at: key) }
    return result
  }

  /// Returns the error for damage at a key.
  func damage(at key: UInt64) -> LMDBError {
    let (run, part) = (key >> 32, key & 0x7FFF_FFFF)
    let kind = key & 1 << 31 == 0 ? "block" : "filter"
    let name = key == NameKey.catalog ? "the catalog" : "\(kind) \(part) of run \(run)"
    return LMDBError(.undecodable, "read \(name) in \(table.name ?? "the unnamed table")")
  }
}
