import LMDB

/// The keys of a few recently read rows, since applying a batch to an index compares the same few
/// entries with one key after another.
///
/// Newer keys replace older ones. Rows must not change meanwhile.
struct RecentKeys {
  /// A row and the range of its key; an empty slot has an empty range.
  private struct Slot {
    var row: UInt32 = 0
    var group: UInt64 = 0
    var place = 0..<0
  }

  private static let slotCount: UInt32 = 64
  /// The most bytes of keys kept before all are forgotten, not counting the last key.
  private static let keyBytesMax = 1 << 14

  /// Whether keys are kept here at all.
  let isKept: Bool
  private var slots: [Slot] = []
  private var keys = KeyBuffer()

  init(isKept: Bool) { self.isKept = isKept }

  /// Returns the range of a row's key in a group, if known.
  @inline(__always)
  func place(of row: RowID, in group: UInt64) -> Range<Int>? {
    guard !slots.isEmpty else { return nil }
    let slot = slots[Self.slot(of: row)]
    guard slot.row == row.rawValue, slot.group == group, !slot.place.isEmpty else { return nil }
    return slot.place
  }

  /// Returns the bytes of a key.
  @_lifetime(borrow self)
  func bytes(at place: Range<Int>) -> RawSpan { keys.bytes(at: place) }

  /// Adds the key of a row in a group; returns its range.
  mutating func note(
    _ row: RowView, _ id: RowID, in group: UInt64, _ plan: ViewPlan
  ) -> Range<Int> {
    if slots.isEmpty || keys.count > Self.keyBytesMax { forget() }
    let place = plan.appendKey(of: row, in: group, to: &keys)
    slots[Self.slot(of: id)] = Slot(row: id.rawValue, group: group, place: place)
    return place
  }

  private mutating func forget() {
    slots = Array(repeating: Slot(), count: Int(Self.slotCount))
    keys.remove()
  }

  @inline(__always)
  private static func slot(of row: RowID) -> Int { Int(row.rawValue % slotCount) }
}
