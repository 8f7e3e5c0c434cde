import LMDB

/// Keeping within the limit.
extension RankedIndex {
  /// Drops clean nodes until the limit is kept, or only dirty and frozen ones are left: leaves that
  /// were not used lately first, and nodes above them last.
  @inline(__always)
  mutating func trim() {
    if residents > residentsMax { drop() }
  }

  /// Has the next ``trim()`` keep the limit, whatever an earlier one could not drop.
  mutating func limit() {
    residentsMax = cacheBytesMax / layout.byteCount
    trim()
  }

  /// The search goes around like the hand of a clock: the first time it spares what was used since
  /// it last came by, the third time nothing.
  ///
  /// It makes more room than it has to, and where there is too little to drop, the next one waits
  /// until some more came: with most nodes dirty, a search for each new node would go around all of
  /// them each time.
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
