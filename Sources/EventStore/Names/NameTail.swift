import LMDB

/// The newest pairs of a ``NameIndex``, in a hash table.
///
/// A slot is 0 or holds the 1-based number of a pair, in as many bits as distinguish slots, and
/// bits of its hash above them. At least half of the slots are free. All operations are O(1),
/// expected and amortized. A tail takes 12 bytes for each pair and 8 to 16 for its slots.
package struct NameTail {
  /// The pairs in order of arrival.
  package private(set) var pairs = NamePairs(capacity: 0)
  /// The slots; empty before the first pair is inserted.
  private var slots: [UInt32] = []

  /// The maximum number of pairs.
  package static let countMax = 1 << 30
  private static let slotsMin = 64

  /// Creates an empty tail.
  package init() {}

  /// The number of pairs.
  @inline(__always)
  package var count: Int { pairs.count }

  /// Returns the slot where the search for a hash begins.
  @inline(__always)
  package func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

  /// Returns the next row with this hash from a slot on, and moves the slot past it.
  @inline(__always)
  package func next(_ hash: UInt64, from slot: inout Int) -> RowID? {
    guard count > 0 else { return nil }
    let mask = slots.count - 1
    while slots[slot] != 0 {
      let entry = slots[slot]
      slot = (slot + 1) & mask
      guard mark(hash) == entry & ~UInt32(truncatingIfNeeded: mask) else { continue }
      let index = Int(entry) & mask - 1
      if pairs.hashes[index] == hash { return RowID(rawValue: pairs.rows[index]) }
    }
    return nil
  }

  /// Returns the part of a hash that a slot holds: the bits that don't determine where its search
  /// begins.
  @inline(__always)
  private func mark(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash) & ~UInt32(truncatingIfNeeded: slots.count - 1)
  }

  /// Adds a pair; there must be room for it.
  @inline(__always)
  package mutating func insert(_ hash: UInt64, _ row: UInt32) {
    if 2 * count + 2 > slots.count { grow() }
    pairs.append(hash, row)
    settle(hash, count)
  }

  /// Stores the number of a pair in a free slot.
  @inline(__always)
  private mutating func settle(_ hash: UInt64, _ number: Int) {
    var slot = slot(of: hash)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = mark(hash) | UInt32(truncatingIfNeeded: number)
  }

  @inline(never)
  private mutating func grow() {
    precondition(count < Self.countMax, "the tail is full")
    slots = [UInt32](repeating: 0, count: max(Self.slotsMin, 2 * slots.count))
    for index in 0..<count { settle(pairs.hashes[index], index + 1) }
  }

  /// Removes all pairs, but keeps the memory.
  package mutating func removeAll() {
    pairs.removeAll()
    for slot in slots.indices { slots[slot] = 0 }
  }
}

/// Prefetching memory for an upcoming search, one step at a time.
extension NameTail {
  /// Prefetches the slot where the search for a hash begins.
  @inline(__always)
  func fetchSlot(of hash: UInt64) {
    if !slots.isEmpty { slots.prefetch(slot(of: hash)) }
  }

  /// Prefetches the pair that the search for a hash examines first.
  @inline(__always)
  func fetchPair(of hash: UInt64) {
    guard count > 0 else { return }
    let mask = slots.count - 1
    var slot = slot(of: hash)
    while slots[slot] != 0 {
      let entry = slots[slot]
      if mark(hash) == entry & ~UInt32(truncatingIfNeeded: mask) {
        return pairs.prefetch(Int(entry) & mask - 1)
      }
      slot = (slot + 1) & mask
    }
  }

  /// Returns the first row with a hash, if any.
  @inline(__always)
  package func first(of hash: UInt64) -> RowID? {
    guard count > 0 else { return nil }
    var slot = slot(of: hash)
    return next(hash, from: &slot)
  }
}
