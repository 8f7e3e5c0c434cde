package import LMDB

/// What a frame changed in a ``NameIndex``, to be written beside the index while it goes on.
package struct FrozenNames: Sendable {
  private let table: Table<UInt64, [UInt8]>
  /// What is to be stored.
  package var entries: [(key: UInt64, bytes: [UInt8])] = []
  /// The keys of what is to be removed where it is there.
  package var removals: [Range<UInt64>] = []

  init(_ table: Table<UInt64, [UInt8]>) { self.table = table }

  /// Writes all of it; may be repeated in another transaction where this one failed.
  package func write(to transaction: inout WriteTransaction) throws(LMDBError) {
    for range in removals {
      for key in range { try transaction.remove(key, from: table) }
    }
    for (key, bytes) in entries { try transaction.put(bytes, for: key, in: table) }
  }
}
