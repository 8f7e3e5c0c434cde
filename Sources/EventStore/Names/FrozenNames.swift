package import LMDB

/// The changes of a frame to a ``NameIndex``, to be written while the index is used further.
package struct FrozenNames: Sendable {
  private let table: Table<UInt64, [UInt8]>
  /// The entries to store.
  package var entries: [(key: UInt64, bytes: [UInt8])] = []
  /// The keys to remove if they exist.
  package var removals: [Range<UInt64>] = []

  init(_ table: Table<UInt64, [UInt8]>) { self.table = table }

  /// Writes all changes; may be repeated in another transaction if this one fails.
  package func write(to transaction: inout WriteTransaction) throws(LMDBError) {
    for range in removals {
      for key in range { try transaction.remove(key, from: table) }
    }
    for (key, bytes) in entries { try transaction.put(bytes, for: key, in: table) }
  }
}
