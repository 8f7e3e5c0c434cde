import LMDB

/// The keys of a few rows as they were read last: while a batch is put into an index, the same few
/// entries are compared with one key after another.
///
/// What is noted later takes the place of what was noted before it. Rows must not change meanwhile.
struct RecentKeys {
  /// Whose key it is, and where that lies; of an empty slot the place is empty.
  private struct Slot {
    var row: UInt32 = 0
    var group: UInt64 = 0
    var place = 0..<0
  }

  private static let slotCount: UInt32 = 64
  /// How many bytes of keys are kept at most before all are forgotten, beside the last.
  private static let keyBytesMax = 1 << 14

  /// Whether keys are noted here at all.
  let isKept: Bool
  private var slots: [Slot] = []
  private var keys = KeyBuffer()

  init(isKept: Bool) { self.isKept = isKept }

  /// Where the key of a row in a group lies, if it is known.
  @inline(__always)
  func place(of row: RowID, in group: UInt64) -> Range<Int>? {
    guard !slots.isEmpty else { return nil }
    let slot = slots[Self.slot(of: row)]
    guard slot.row == row.rawValue, slot.group == group, !slot.place.isEmpty else { return nil }
    return slot.place
  }

  /// The bytes of a key.
  @_lifetime(borrow self)
  func bytes(at place: Range<Int>) -> RawSpan { keys.bytes(at: place) }

  /// Notes the key of a row in a group; says where it lies.
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
