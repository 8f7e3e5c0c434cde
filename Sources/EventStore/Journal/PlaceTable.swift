/// A map from a small set of numbers to places: a hash table with open addressing.
///
/// - Complexity: O(1) per operation, amortized.
package struct PlaceTable: Hashable, Sendable {
  /// The number and the place in one word, or 0 for an empty slot; at most three quarters are
  /// taken.
  private var slots: [UInt64] = []
  private var shift: UInt64 = 64
  /// The number of entries.
  package private(set) var count = 0

  /// Creates an empty table.
  package init() {}

  /// Returns the place of a number.
  @inline(__always)
  package func place(of id: UInt32) -> UInt32? {
    guard count > 0 else { return nil }
    let slot = slots[find(id)]
    return slot == 0 ? nil : UInt32(truncatingIfNeeded: slot)
  }

  /// Sets the place of a number.
  package mutating func set(_ id: UInt32, _ place: UInt32) {
    precondition(id > 0, "0 is no number of anything")
    if (count + 1) * 4 > slots.count * 3 { grow() }
    let index = find(id)
    if slots[index] == 0 { count += 1 }
    slots[index] = UInt64(id) << 32 | UInt64(place)
  }

  /// Returns the slot that a number has, or would have.
  @inline(__always)
  private func find(_ id: UInt32) -> Int {
    let mask = slots.count - 1
    var index = home(id)
    while slots[index] != 0, slots[index] >> 32 != UInt64(id) { index = (index + 1) & mask }
    return index
  }

  @inline(__always)
  private func home(_ id: UInt32) -> Int {
    Int((UInt64(id) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  private mutating func grow() {
    let taken = slots.filter { $0 != 0 }
    let capacity = max(16, slots.count * 2)
    slots = [UInt64](repeating: 0, count: capacity)
    shift = UInt64(64 - capacity.trailingZeroBitCount)
    for slot in taken { slots[find(UInt32(slot >> 32))] = slot }
  }
}
