import LMDB

/// Keeping within the limit.
extension RankedIndex {
  /// Drops clean nodes until the limit is kept, or only dirty and frozen ones are left: leaves that
  /// were not used lately first, and nodes above them last.
  @inline(__always)
  mutating func trim() {
    if residents * layout.byteCount > cacheBytesMax { drop() }
  }

  /// The search goes around like the hand of a clock: the first time it spares what was used since
  /// it last came by, the third time nothing.
  private mutating func drop() {
    let clean = committedFrame
    for step in 0..<3 * slots.count {
      guard residents * layout.byteCount > cacheBytesMax else { return }
      hand = hand + 1 < slots.count ? hand + 1 : 0
      let slot = slots[hand]
      guard slot.level != NodeSlot.absent, slot.frame <= clean else { continue }
      let isSpared = slot.isUsed || (slot.level > 0 && slot.level <= NodeLayout.levelMax)
      slots[hand].isUsed = false
      if isSpared, step < 2 * slots.count { continue }
      slots[hand] = NodeSlot()
      arrays[hand] = []
      residents -= 1
    }
  }
}
