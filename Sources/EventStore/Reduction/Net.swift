/// What a batch has come to so far for one row in one list.
///
/// Keys are given by where they lie among the batch's bytes; empty where there is none.
struct Net {
  /// The view, by its place among the reducer's.
  let view: UInt16
  let row: RowID
  /// The word of the list's group.
  let group: UInt64
  /// The key that the row had when the batch began.
  let old: Range<Int>
  /// The key that its entry in the view's index has.
  var indexed: Range<Int>
  /// The key that it has now.
  var new: Range<Int>
}

/// The nets of a batch, found by view, group and row.
///
/// A hash table with open addressing that is emptied in the time that filling it took.
struct NetTable {
  private(set) var nets: [Net] = []
  /// The place of a net among ``nets`` plus 1, or 0.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  private var mask: UInt64 = 63

  /// Forgets all.
  mutating func removeAll() {
    if nets.count > slots.count / 16 {
      for index in slots.indices { slots[index] = 0 }
    } else {
      for net in nets { clear(net) }
    }
    nets.removeAll(keepingCapacity: true)
  }

  /// Forgets what was noted of a view; says whether anything was.
  mutating func remove(view: UInt16) -> Bool {
    guard nets.contains(where: { $0.view == view }) else { return false }
    nets.removeAll { $0.view == view }
    for index in slots.indices { slots[index] = 0 }
    for place in nets.indices { insert(place) }
    return true
  }

  private mutating func clear(_ net: Net) {
    var slot = Self.hash(net.view, net.group, net.row) & mask
    while slots[Int(slot)] != 0 {
      slots[Int(slot)] = 0
      slot = (slot + 1) & mask
    }
  }

  /// The place of the net of a row in a list, if there is one.
  func place(_ view: UInt16, _ group: UInt64, _ row: RowID) -> Int? {
    guard !nets.isEmpty else { return nil }
    var slot = Self.hash(view, group, row) & mask
    while slots[Int(slot)] != 0 {
      let place = Int(slots[Int(slot)]) - 1
      if nets[place].row == row, nets[place].group == group, nets[place].view == view {
        return place
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Notes one change of a row in a list.
  mutating func add(
    _ view: UInt16, _ group: UInt64, _ row: RowID, from old: Range<Int>, to new: Range<Int>
  ) {
    if let place = place(view, group, row) {
      nets[place].new = new
      return
    }
    if nets.count * 2 >= slots.count { grow() }
    nets.append(Net(view: view, row: row, group: group, old: old, indexed: old, new: new))
    insert(nets.count - 1)
  }

  /// Notes that the indexes have the present keys.
  mutating func settle() {
    for place in nets.indices { nets[place].indexed = nets[place].new }
  }

  private mutating func insert(_ place: Int) {
    var slot = Self.hash(nets[place].view, nets[place].group, nets[place].row) & mask
    while slots[Int(slot)] != 0 { slot = (slot + 1) & mask }
    slots[Int(slot)] = UInt32(place + 1)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 4)
    mask = UInt64(slots.count - 1)
    for place in nets.indices { insert(place) }
  }

  @inline(__always)
  private static func hash(_ view: UInt16, _ group: UInt64, _ row: RowID) -> UInt64 {
    var mixer = Mixer(seed: group)
    mixer.add(UInt64(row.rawValue) << 16 | UInt64(view))
    return mixer.value
  }
}
