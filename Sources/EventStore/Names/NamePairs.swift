import LMDB

/// Hashes and their rows, in parallel arrays.
package struct NamePairs {
  /// The hashes.
  package private(set) var hashes: [UInt64] = []
  /// The row of each.
  package private(set) var rows: [UInt32] = []

  /// Creates an empty list with some capacity.
  package init(capacity: Int) {
    hashes.reserveCapacity(capacity)
    rows.reserveCapacity(capacity)
  }

  /// The number of pairs.
  package var count: Int { hashes.count }

  /// Some of the pairs, in order.
  package subscript(range: Range<Int>) -> NamePairs {
    var pairs = NamePairs(capacity: 0)
    pairs.hashes = Array(hashes[range])
    pairs.rows = Array(rows[range])
    return pairs
  }

  /// Appends a pair.
  @inline(__always)
  package mutating func append(_ hash: UInt64, _ row: UInt32) {
    hashes.append(hash)
    rows.append(row)
  }

  /// Prefetches a pair.
  @inline(__always)
  package func prefetch(_ index: Int) {
    hashes.prefetch(index)
    rows.prefetch(index)
  }

  /// Removes all pairs, and keeps the capacity.
  package mutating func removeAll() {
    hashes.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
  }

  /// Returns the pairs in ascending order of hashes, all of which lie in one of `count` even parts.
  ///
  /// Hashes are evenly distributed, so each is placed into one of about as many finer parts as
  /// there are pairs, and hardly ever moves from there: O(*n*) for such hashes, O(*n*²) at worst.
  package func sorted(part: Int, of count: Int) -> NamePairs {
    var places = [Int32](repeating: 0, count: self.count + 2)
    let (parts, first) = (count * (self.count + 1), part * (self.count + 1))
    for hash in hashes { places[hash.part(of: parts) - first + 1] += 1 }
    for place in 1..<places.count { places[place] += places[place - 1] }
    var result = NamePairs(filling: self.count)
    for index in hashes.indices {
      let hash = hashes[index]
      let finer = hash.part(of: parts) - first
      result.settle(hash, rows[index], at: Int(places[finer]))
      places[finer] += 1
    }
    result.sortNeighbours()
    return result
  }

  private init(filling count: Int) {
    hashes = [UInt64](repeating: 0, count: count)
    rows = [UInt32](repeating: 0, count: count)
  }

  @inline(__always)
  private mutating func settle(_ hash: UInt64, _ row: UInt32, at place: Int) {
    hashes[place] = hash
    rows[place] = row
  }

  /// Sorts pairs that are nearly sorted already.
  private mutating func sortNeighbours() {
    for index in hashes.indices.dropFirst() where hashes[index] < hashes[index - 1] {
      let (hash, row) = (hashes[index], rows[index])
      var place = index
      while place > 0, hashes[place - 1] > hash {
        settle(hashes[place - 1], rows[place - 1], at: place)
        place -= 1
      }
      settle(hash, row, at: place)
    }
  }
}
