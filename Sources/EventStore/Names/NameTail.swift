/// The newest pairs of a ``NameIndex``, in a hash table.
///
/// A slot holds 16 bits of the hash and the number of the pair from 1, or 0; at least half of the
/// slots are free. All operations are O(1), expected.
package struct NameTail {
  /// The pairs in the order of their arrival.
  package private(set) var pairs: NamePairs
  private var slots: [UInt32]
  private let mask: Int

  /// An empty tail.
  package init(_ shape: NameShape) {
    var size = 2
    while size < 2 * shape.tailMax { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    mask = size - 1
    pairs = NamePairs(capacity: shape.tailMax)
  }

  /// How many pairs there are.
  @inline(__always)
  package var count: Int { pairs.count }

  /// Where the search for a hash begins.
  @inline(__always)
  package func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & mask }

  /// The next row with this hash from a slot on, and moves the slot behind it.
  @inline(__always)
  package func next(_ hash: UInt64, from slot: inout Int) -> RowID? {
    while slots[slot] != 0 {
      let entry = slots[slot]
      slot = (slot + 1) & mask
      guard Self.mark(hash) == entry & ~0xFFFF else { continue }
      let index = Int(entry & 0xFFFF) - 1
      if pairs.hashes[index] == hash { return RowID(rawValue: pairs.rows[index]) }
    }
    return nil
  }

  @inline(__always)
  private static func mark(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) & ~0xFFFF }

  /// Adds a pair; there must be room for it.
  @inline(__always)
  package mutating func insert(_ hash: UInt64, _ row: UInt32) {
    var slot = slot(of: hash)
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    pairs.append(hash, row)
    slots[slot] = Self.mark(hash) | UInt32(truncatingIfNeeded: pairs.count)
  }

  /// Drops all pairs.
  package mutating func removeAll() {
    pairs.removeAll()
    for slot in slots.indices { slots[slot] = 0 }
  }
}
