/// The lists that a batch did something to, and where in its nets that is, until each was taken.
struct TouchedLists {
  /// The places of the nets: those of a list beside each other, by the views and then the groups.
  private let places: [Int]
  private var entries: [Entry] = []
  /// The views of which it is not known what it did to them, so that any list may be meant.
  private let upset: Set<UInt16>
  /// The lists of these that were taken.
  private var taken: Set<ListID> = []

  private struct Entry {
    let list: ListID
    let places: Range<Int>
    var isTaken = false
  }

  /// The lists that such nets are of, and any of the views that are upset.
  ///
  /// - Complexity: O(*n* log *n*)
  init(_ nets: [Net], upset: Set<UInt16>) {
    self.upset = upset
    let places = nets.indices.sorted { left, right in
      let (a, b) = (nets[left], nets[right])
      if a.view != b.view { return a.view < b.view }
      return a.group == b.group ? left < right : a.group < b.group
    }
    self.places = places
    entries.reserveCapacity(places.count)
    var start = 0
    for end in places.indices {
      let (net, next) = (nets[places[end]], end + 1)
      if next < places.count, nets[places[next]].view == net.view,
        nets[places[next]].group == net.group
      {
        continue
      }
      let list = ListID(view: Int(net.view), group: net.group)
      entries.append(Entry(list: list, places: start..<next))
      start = next
    }
  }

  /// How many there are of which it is known what was done to them.
  var count: Int { entries.count }

  /// The views that they are of, in their order.
  var views: [Int] {
    var views: [Int] = []
    views.reserveCapacity(entries.count)
    for entry in entries where entry.list.view != views.last { views.append(entry.list.view) }
    return upset.isEmpty ? views : Set(views).union(upset.map(Int.init)).sorted()
  }

  /// Whether a list is there, and was not taken.
  func has(_ list: ListID) -> Bool {
    isUpset(list.view) ? !taken.contains(list) : index(of: list) != nil
  }

  /// Takes a list that is there: where in the nets it is.
  mutating func take(_ list: ListID) -> ArraySlice<Int>? {
    if isUpset(list.view) { return taken.insert(list).inserted ? [] : nil }
    guard let index = index(of: list) else { return nil }
    entries[index].isTaken = true
    return places[entries[index].places]
  }

  private func isUpset(_ view: Int) -> Bool { upset.contains(UInt16(view)) }

  private func index(of list: ListID) -> Int? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let known = entries[middle].list
      let isBefore = known.view == list.view ? known.group < list.group : known.view < list.view
      if isBefore { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].list == list, !entries[low].isTaken else { return nil }
    return low
  }
}
