import LMDB

/// Keeping the cache within its limit.
extension RankedIndex {
  /// Drops clean nodes until the limit is kept or only dirty and frozen nodes are left: first
  /// leaves that were not used recently, last inner nodes.
  @inline(__always)
  mutating func trim() {
    if residents > residentsMax { drop() }
  }

  /// Resets the limit, whatever an earlier ``trim()`` could not drop, and trims again.
  mutating func limit() {
    residentsMax = cacheBytesMax / layout.byteCount
    trim()
  }

  /// Sweeps the slots like the hand of a clock: the first round spares nodes used since the last
  /// sweep, the third round spares none.
  ///
  /// A sweep frees more than necessary. If it cannot free enough, the next one waits until more
  /// nodes have been added; otherwise, with most nodes dirty, each new node would cause a complete
  /// sweep.
  private mutating func drop() {
    let clean = committedFrame
    let most = cacheBytesMax / layout.byteCount
    let slack = most / 16
    defer { residentsMax = max(most, residents + slack) }
    for step in 0..<3 * slots.count {
      guard residents > most - slack else { return }
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
