/// Places in the order of their sort keys, which the first words mostly decide.
///
/// Few places are sorted by comparison. Many are sorted by radix on the bytes of their words, from
/// last to first, skipping bytes that are equal in all: the keys of one batch have most in common.
package struct WordOrder {
  /// The first two words of a key, and its place.
  private struct Item {
    var first: UInt64
    var second: UInt64
    var place: UInt32
  }

  private var items: [Item] = []

  /// The maximum number of places sorted by comparison; more are sorted by bytes.
  static let comparedMax = 64

  /// Sorts the places from 0 up to, but not including, `count` by their keys.
  ///
  /// - Parameter comesBefore: Decides, by the whole keys, between places with equal words.
  /// - Complexity: O(n) for n places, plus O(n log n) for those with equal words.
  /// - Throws: Any error of `comesBefore`.
  package init<E: Error>(
    count: Int, _ words: (Int) -> SortWords, _ comesBefore: (Int, Int) throws(E) -> Bool
  ) throws(E) {
    items.reserveCapacity(count)
    for place in 0..<count {
      let words = words(place)
      items.append(Item(first: words.first, second: words.second, place: UInt32(place)))
    }
    if count > Self.comparedMax { sortByBytes() } else { sortByWords() }
    try sortTies(words, comesBefore)
  }

  /// The number of places.
  package var count: Int { items.count }

  /// The place of the key at a rank.
  @inline(__always)
  package subscript(rank: Int) -> Int { Int(items[rank].place) }

  /// Returns elements, one for each place, in this order.
  package func sorted<Element>(_ elements: [Element]) -> [Element] {
    items.map { elements[Int($0.place)] }
  }

  private mutating func sortByWords() {
    items.sort { left, right in
      left.first == right.first ? left.second < right.second : left.first < right.first
    }
  }

  private mutating func sortByBytes() {
    var (first, second) = (UInt64.zero, UInt64.zero)
    for item in items {
      first |= item.first ^ items[0].first
      second |= item.second ^ items[0].second
    }
    var spare = items
    for shift in stride(from: UInt64.zero, to: 64, by: 8) where second >> shift & 0xff != 0 {
      Self.distribute(items, into: &spare) { Int($0.second >> shift & 0xff) }
      swap(&items, &spare)
    }
    for shift in stride(from: UInt64.zero, to: 64, by: 8) where first >> shift & 0xff != 0 {
      Self.distribute(items, into: &spare) { Int($0.first >> shift & 0xff) }
      swap(&items, &spare)
    }
  }

  /// Copies items in the order of a byte; the sort is stable.
  @inline(__always)
  private static func distribute(
    _ items: [Item], into sorted: inout [Item], by byte: (Item) -> Int
  ) {
    var ends = [Int](repeating: 0, count: 256)
    for item in items { ends[byte(item)] += 1 }
    var start = 0
    for index in ends.indices { (ends[index], start) = (start, start + ends[index]) }
    for item in items {
      let index = byte(item)
      sorted[ends[index]] = item
      ends[index] += 1
    }
  }

  /// Sorts items whose first two words are equal.
  private mutating func sortTies<E: Error>(
    _ words: (Int) -> SortWords, _ comesBefore: (Int, Int) throws(E) -> Bool
  ) throws(E) {
    var start = 0
    while start < items.count {
      var end = start + 1
      while end < items.count, items[end].first == items[start].first,
        items[end].second == items[start].second
      { end += 1 }
      if end > start + 1 { try sort(start..<end, words, comesBefore) }
      start = end
    }
  }

  private mutating func sort<E: Error>(
    _ ties: Range<Int>, _ words: (Int) -> SortWords, _ comesBefore: (Int, Int) throws(E) -> Bool
  ) throws(E) {
    do {
      try items[ties].sort { left, right in
        let (left, right) = (Int(left.place), Int(right.place))
        let order = words(left).compare(with: words(right))
        return order == 0 ? try comesBefore(left, right) : order < 0
      }
    } catch let error as E {
      throw error
    } catch {
      preconditionFailure("sorting throws nothing of its own")
    }
  }
}
