/// The net change of one row in one list during a batch.
///
/// Keys are ranges in the batch's key bytes; a range is empty if there is no key.
package struct Net {
  /// The view's place among all views.
  package let view: UInt16
  /// Whether it has changed since the indexes got its key.
  package fileprivate(set) var isAgain = false
  package let row: RowID
  /// The word of the list's group.
  package let group: UInt64
  /// The row's key when the batch began.
  package let old: Range<Int>
  /// The key of the row's entry in the view's index.
  package var indexed: Range<Int>
  /// The row's current key.
  package var new: Range<Int>
}

/// The nets of a batch, found by view, group, and row.
///
/// A hash table with open addressing; emptying it takes no longer than filling it did.
package struct NetTable {
  package private(set) var nets: [Net] = []
  /// The index of a net in ``nets`` plus 1, or 0.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  private var mask: UInt64 = 63
  /// The number of nets, from the first, that count as fresh no more: the indexes have their keys,
  /// unless they changed again.
  private var settledCount = 0
  /// The places of those that have changed again.
  package private(set) var again: [Int] = []

  /// Creates an empty table.
  package init() {}

  /// Removes all nets.
  package mutating func removeAll() {
    if nets.count > slots.count / 16 {
      for index in slots.indices { slots[index] = 0 }
    } else {
      for net in nets { clear(net) }
    }
    nets.removeAll(keepingCapacity: true)
    again.removeAll(keepingCapacity: true)
    settledCount = 0
  }

  /// The places of the other nets: those added since ``settle()``, or all after ``remove(view:)``.
  package var fresh: Range<Int> { settledCount..<nets.count }

  /// Removes the nets of a view; returns whether it had any.
  ///
  /// The others change places, so all of them count as fresh.
  package mutating func remove(view: UInt16) -> Bool {
    guard nets.contains(where: { $0.view == view }) else { return false }
    nets.removeAll { $0.view == view }
    for index in slots.indices { slots[index] = 0 }
    for place in nets.indices {
      nets[place].isAgain = false
      insert(place)
    }
    (again, settledCount) = ([], 0)
    return true
  }

  private mutating func clear(_ net: Net) {
    var slot = Self.hash(net.view, net.group, net.row) & mask
    while slots[Int(slot)] != 0 {
      slots[Int(slot)] = 0
      slot = (slot + 1) & mask
    }
  }

  /// Returns the index of the net of a row in a list, if any.
  package func place(_ view: UInt16, _ group: UInt64, _ row: RowID) -> Int? {
    nets.isEmpty ? nil : seek(view, group, row).place
  }

  /// Returns the index of the net of a row in a list, or the free slot where its place belongs.
  @inline(__always)
  private func seek(
    _ view: UInt16, _ group: UInt64, _ row: RowID
  ) -> (place: Int?, slot: Int) {
    var slot = Self.hash(view, group, row) & mask
    while slots[Int(slot)] != 0 {
      let place = Int(slots[Int(slot)]) - 1
      if nets[place].row == row, nets[place].group == group, nets[place].view == view {
        return (place, Int(slot))
      }
      slot = (slot + 1) & mask
    }
    return (nil, Int(slot))
  }

  /// Notes one change of a row in a list.
  package mutating func add(
    _ view: UInt16, _ group: UInt64, _ row: RowID, from old: Range<Int>, to new: Range<Int>
  ) {
    if nets.count * 2 >= slots.count { grow() }
    let (place, slot) = seek(view, group, row)
    if let place { return change(place, to: new) }
    nets.append(Net(view: view, row: row, group: group, old: old, indexed: old, new: new))
    slots[slot] = UInt32(nets.count)
  }

  private mutating func change(_ place: Int, to new: Range<Int>) {
    nets[place].new = new
    guard place < settledCount, !nets[place].isAgain else { return }
    nets[place].isAgain = true
    again.append(place)
  }

  /// Notes that the indexes have the current keys.
  ///
  /// - Complexity: O(nets that changed since the last time)
  package mutating func settle() {
    for place in again {
      nets[place].indexed = nets[place].new
      nets[place].isAgain = false
    }
    for place in fresh { nets[place].indexed = nets[place].new }
    again.removeAll(keepingCapacity: true)
    settledCount = nets.count
  }

  /// Notes that the indexes of some views have the current keys.
  ///
  /// - Complexity: O(nets)
  package mutating func settle(_ isConcerned: (_ view: UInt16) -> Bool) {
    for place in nets.indices where isConcerned(nets[place].view) {
      nets[place].indexed = nets[place].new
    }
  }

  private mutating func insert(_ place: Int) {
    let net = nets[place]
    slots[seek(net.view, net.group, net.row).slot] = UInt32(place + 1)
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
