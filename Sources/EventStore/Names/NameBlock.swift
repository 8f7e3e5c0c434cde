import LMDB

/// Pairs of a ``NameIndex`` as stored in its table, borrowed and read in place.
///
/// ```
///  0  checksum (4) of the key and all that follows
///  4  for each pair: hash (8)   row (4)
/// ```
///
/// Integers are little-endian. A run's blocks have their hashes in ascending order, the tail's in
/// order of arrival. Each hash is next to its row, and the number of bytes determines the number of
/// pairs, so that finding one touches a cache line or two. The block at key 0x100000002 with the
/// pairs (3, 7) and (5, 1):
///
/// ```
/// 00 │ 3B CF FA 64  03 00 00 00  00 00 00 00  07 00 00 00
/// 10 │ 05 00 00 00  00 00 00 00  01 00 00 00
/// ```
package struct NameBlock: ~Escapable {
  /// The number of pairs that fit on an LMDB page.
  static let pairsOnPage = 338

  private let bytes: RawSpan
  /// The number of pairs.
  package let count: Int

  /// Creates a view of bytes, or returns `nil` if no number of pairs has that length.
  @_lifetime(copy bytes)
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount % 12 == 4 else { return nil }
    (self.bytes, count) = (bytes, bytes.byteCount / 12)
  }

  /// Calls `body` with the block in some bytes in memory; traps if they can't be a block.
  @inline(__always)
  package static func read<R>(_ bytes: [UInt8], _ body: (borrowing NameBlock) -> R) -> R {
    guard let block = NameBlock(bytes.raw) else { preconditionFailure("not a block") }
    return body(block)
  }

  /// Returns the hash of a pair.
  @inline(__always)
  package func hash(_ index: Int) -> UInt64 { bytes.integer(UInt64.self, at: 4 + 12 * index) }

  /// Returns the row of a pair.
  @inline(__always)
  package func row(_ index: Int) -> UInt32 { bytes.integer(UInt32.self, at: 12 + 12 * index) }

  /// Returns whether the bytes are those that were stored at a key.
  package func isIntact(at key: UInt64) -> Bool {
    bytes.integer(UInt32.self, at: 0) == Checksum.of(key, bytes.extracting(droppingFirst: 4))
  }

  /// Returns whether hashes ascend, and all lie in one of `parts` even parts.
  package func isSorted(part: Int, of parts: Int) -> Bool {
    var last: UInt64 = 0
    for index in 0..<count {
      guard hash(index) >= last, hash(index).part(of: parts) == part else { return false }
      last = hash(index)
    }
    return true
  }

  /// Returns the row of the `nth` pair with a hash, counted from 0, in a block of a run.
  ///
  /// Hashes are evenly distributed, so the search begins where a hash of this size is likely to be,
  /// O(√*n*) from the right place.
  @inline(__always)
  package func row(_ nth: Int, of hash: UInt64, part: Int, of parts: Int) -> RowID? {
    var index = Self.place(of: hash, part, parts, count)
    while index > 0, self.hash(index - 1) >= hash { index -= 1 }
    while index < count, self.hash(index) < hash { index += 1 }
    index += nth
    guard index < count, self.hash(index) == hash else { return nil }
    return RowID(rawValue: row(index))
  }

  /// Returns the likely position of a hash among `count` pairs of a block.
  @inline(__always)
  private static func place(of hash: UInt64, _ part: Int, _ parts: Int, _ count: Int) -> Int {
    min(max(hash.part(of: parts * count) - part * count, 0), count)
  }

  /// Prefetches the pairs where the search for a hash begins, in a block of a run.
  @inline(__always)
  func fetchPair(of hash: UInt64, part: Int, of parts: Int) {
    bytes.prefetch(4 + 12 * Self.place(of: hash, part, parts, count), 12)
  }

  /// Appends all pairs to others.
  func pour(into pairs: inout NamePairs) {
    for index in 0..<count { pairs.append(hash(index), row(index)) }
  }

  /// Encodes a block of some of `pairs`, to be stored at a key.
  package static func bytes(
    of pairs: borrowing NamePairs, _ range: Range<Int>, key: UInt64
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4 + 12 * range.count)
    bytes.withMutableBytes { bytes in
      var offset = 4
      for index in range {
        bytes.store(integer: pairs.hashes[index], at: offset)
        bytes.store(integer: pairs.rows[index], at: offset + 8)
        offset += 12
      }
      let checksum = Checksum.of(key, bytes.bytes.extracting(droppingFirst: 4))
      bytes.store(integer: checksum, at: 0)
    }
    return bytes
  }
}
