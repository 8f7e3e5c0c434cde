package import EventStore

/// A queue of future items, the earliest first; items at the same time keep their insertion order.
package struct Agenda<Item> {
  private struct Entry {
    let time: Timestamp
    let order: Int
    let item: Item

    static func < (left: Entry, right: Entry) -> Bool {
      left.time == right.time ? left.order < right.order : left.time < right.time
    }
  }

  /// The entries, as a heap.
  private var entries: [Entry] = []
  private var lastOrder = 0

  /// Creates an empty agenda.
  package init() {}

  /// The number of items.
  package var count: Int { entries.count }

  /// The time of the next item.
  package var next: Timestamp? { entries.first?.time }

  /// Adds an item.
  ///
  /// - Complexity: O(log n)
  package mutating func add(_ item: Item, at time: Timestamp) {
    lastOrder += 1
    entries.append(Entry(time: time, order: lastOrder, item: item))
    var place = entries.count - 1
    while place > 0, entries[place] < entries[(place - 1) / 2] {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes the next item, and returns it with its time.
  ///
  /// - Complexity: O(log n)
  package mutating func popFirst() -> (item: Item, time: Timestamp)? {
    guard let first = entries.first else { return nil }
    let last = entries.removeLast()
    guard !entries.isEmpty else { return (first.item, first.time) }
    entries[0] = last
    sink()
    return (first.item, first.time)
  }

  private mutating func sink() {
    var place = 0
    while true {
      let children = (place * 2 + 1..<place * 2 + 3).clamped(to: 0..<entries.count)
      guard let least = children.min(by: { entries[$0] < entries[$1] }),
        entries[least] < entries[place]
      else { return }
      entries.swapAt(place, least)
      place = least
    }
  }
}
