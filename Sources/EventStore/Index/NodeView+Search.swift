import LMDB

extension NodeView {
  /// Returns the first index, not below `start`, whose entry does not precede a key, and whether
  /// that entry is the key row's.
  ///
  /// The tie-breaker is asked only among entries whose words equal the key's, and rarely if the
  /// entry is about as far after the first of them as expected.
  @inline(__always)
  func position<Ties: TieBreaker & ~Copyable & ~Escapable>(
    of key: IndexKey<Ties.Token>, from start: Int, expectedWithin distance: Int = .max,
    _ ties: inout Ties
  ) throws -> (index: Int, isFound: Bool) {
    let equal = range(of: key.words, from: start)
    guard !equal.isEmpty else { return (equal.lowerBound, false) }
    if key.row == row(equal.lowerBound) { return (equal.lowerBound, true) }
    let index = try position(of: key.token, among: equal, expectedWithin: distance, &ties)
    return (index, index < equal.upperBound && key.row == row(index))
  }

  /// Returns the range of entries, from `start` on, with the given words; if none exists, an empty
  /// range before the first entry with greater words.
  @inline(__always)
  func range(of words: SortWords, from start: Int) -> Range<Int> {
    var range = start..<count
    for word in 0..<layout.width {
      let column = layout.word(word, of: 0, capacity)
      if isRun(of: words[word], column, range) { continue }
      let low = bytes.lowerBound(of: words[word], at: column, in: range)
      guard low < range.upperBound, value(at: low, column) == words[word] else { return low..<low }
      range = low..<end(of: words[word], column, low..<range.upperBound)
    }
    return range
  }

  /// Returns the index of the first entry whose words are not below the given ones.
  func lowerBound(of words: SortWords) -> Int {
    range(of: words, from: 0).lowerBound
  }

  @inline(__always)
  private func value(at index: Int, _ column: Int) -> UInt64 {
    bytes.integer(UInt64.self, at: column + 8 * index)
  }

  /// Returns whether a range contains only one value, as when one group fills a leaf.
  @inline(__always)
  private func isRun(of value: UInt64, _ column: Int, _ range: Range<Int>) -> Bool {
    guard !range.isEmpty, self.value(at: range.lowerBound, column) == value else { return false }
    return self.value(at: range.upperBound - 1, column) == value
  }

  /// Returns the end of the run of a value that starts with `range`; most runs have length one.
  @inline(__always)
  private func end(of value: UInt64, _ column: Int, _ range: Range<Int>) -> Int {
    let next = range.lowerBound + 1
    guard next < range.upperBound, self.value(at: next, column) == value else { return next }
    guard value < .max else { return range.upperBound }
    return bytes.lowerBound(of: value + 1, at: column, in: next..<range.upperBound)
  }

  /// Returns the first of the given entries, whose words are equal, that does not precede a key: by
  /// doubling steps, then a binary search between two of them.
  private func position<Ties: TieBreaker & ~Copyable & ~Escapable>(
    of token: Ties.Token, among entries: Range<Int>, expectedWithin distance: Int,
    _ ties: inout Ties
  ) throws -> Int {
    var (low, high, step) = (entries.lowerBound, entries.upperBound, distance)
    while step < high - low {
      guard try ties.precedes(row(low + step), token) else {
        high = low + step
        break
      }
      low += step + 1
      step *= 2
    }
    while low < high {
      let middle = (low + high) / 2
      if try ties.precedes(row(middle), token) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the child, not before `start`, to which a key belongs: the last whose first entry does
  /// not come after the key.
  @inline(__always)
  func child<Ties: TieBreaker & ~Copyable & ~Escapable>(
    for key: IndexKey<Ties.Token>, from start: Int, _ ties: inout Ties
  ) throws -> Int {
    let next = start + 1
    guard next < count, key.words.first >= value(at: next, layout.word(0, of: 0, capacity)) else {
      return start
    }
    let (index, isFound) = try position(of: key, from: next, &ties)
    return isFound ? index : index - 1
  }

  /// Returns the last child whose first entry has words below the given ones, or else the first
  /// child.
  func child(before words: SortWords) -> Int { max(lowerBound(of: words) - 1, 0) }
}
