/// A sorted array of keys in counted blocks: the cost of inserting, erasing and ranking in memory.
///
/// It is the limit for any ranked index, without log, files or rows. A rank takes a search for the
/// block, a sum over the counts of the earlier blocks, and a search within the block.
package struct CountedArray: Sendable {
  private static let capacity = 512

  /// The keys of all blocks, each in a stretch of `capacity`.
  private var keys: [ViewKey] = []
  // By block, in order: the least key, the number of keys, and the stretch with the keys.
  private var firsts: [ViewKey] = []
  private var counts: [Int32] = []
  private var stretches: [Int32] = []
  private var unused: [Int32] = []

  package private(set) var count = 0

  package init() {}

  /// - Complexity: O(n)
  package init(ascending keys: some RandomAccessCollection<ViewKey>) {
    let filled = Self.capacity * 3 / 4
    var rest = keys[...]
    while !rest.isEmpty {
      let block = rest.prefix(filled)
      open(Array(block), at: firsts.count)
      rest = rest.dropFirst(filled)
    }
  }

  /// Returns the number of keys below `key`.
  package func rank(of key: ViewKey) -> Int {
    guard let block = block(for: key) else { return 0 }
    return keysBefore(block) + place(of: key, in: block)
  }

  /// Inserts a new key, and returns its rank.
  @discardableResult
  package mutating func insert(_ key: ViewKey) -> Int {
    guard var block = block(for: key) else {
      open([key], at: 0)
      return 0
    }
    if counts[block] == Self.capacity {
      split(block)
      if key > firsts[block + 1] { block += 1 }
    }
    let place = place(of: key, in: block)
    let start = start(of: block) + place
    shift(start, Int(counts[block]) - place, by: 1)
    keys[start] = key
    if place == 0 { firsts[block] = key }
    counts[block] += 1
    count += 1
    return keysBefore(block) + place
  }

  /// Erases an existing key, and returns its former rank.
  @discardableResult
  package mutating func erase(_ key: ViewKey) -> Int {
    guard let block = block(for: key) else { preconditionFailure("the key isn't there") }
    let place = place(of: key, in: block)
    let start = start(of: block) + place
    precondition(place < Int(counts[block]) && keys[start] == key, "the key isn't there")
    let rank = keysBefore(block) + place
    shift(start + 1, Int(counts[block]) - place - 1, by: -1)
    counts[block] -= 1
    count -= 1
    if counts[block] == 0 { close(block) } else if place == 0 { firsts[block] = keys[start] }
    return rank
  }

  /// Returns the keys from a rank on.
  package func keys(from rank: Int, count: Int) -> [ViewKey] {
    var rest = rank
    var found: [ViewKey] = []
    for block in counts.indices where found.count < count {
      let start = start(of: block)
      found += keys[start..<(start + Int(counts[block]))].dropFirst(rest).prefix(
        count - found.count)
      rest = max(rest - Int(counts[block]), 0)
    }
    return found
  }

  /// Traps unless the blocks are ordered and not empty, and their counts add up.
  package func checkInvariants() {
    let all = keys(from: 0, count: count + 1)
    precondition(all.count == count && counts.reduce(0, +) == count, "the counts add up")
    precondition(zip(all, all.dropFirst()).allSatisfy { $0 < $1 }, "the keys ascend")
    precondition(counts.allSatisfy { $0 > 0 && $0 <= Self.capacity }, "no block is empty")
    precondition(
      firsts.indices.allSatisfy { firsts[$0] == keys[start(of: $0)] }, "firsts are first")
  }
}

extension CountedArray {
  /// Returns the block for a key; `nil` if there are no blocks.
  private func block(for key: ViewKey) -> Int? {
    guard !firsts.isEmpty else { return nil }
    var range = 1..<firsts.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if firsts[middle] <= key {
        range = (middle + 1)..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound - 1
  }

  private func place(of key: ViewKey, in block: Int) -> Int {
    let start = start(of: block)
    var (low, high) = (start, start + Int(counts[block]))
    while low < high {
      let middle = low + (high - low) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low - start
  }

  private func keysBefore(_ block: Int) -> Int {
    Int(counts[..<block].reduce(0, &+))
  }

  private func start(of block: Int) -> Int { Int(stretches[block]) * Self.capacity }

  private mutating func shift(_ start: Int, _ count: Int, by distance: Int) {
    guard count > 0 else { return }
    unsafe keys.withUnsafeMutableBufferPointer { keys in
      guard let base = keys.baseAddress else { return }
      unsafe (base + start + distance).update(from: base + start, count: count)
    }
  }

  private mutating func split(_ block: Int) {
    let half = Self.capacity / 2
    let start = start(of: block)
    let upper = Array(keys[(start + half)..<(start + Self.capacity)])
    counts[block] = Int32(half)
    count -= upper.count
    open(upper, at: block + 1)
  }

  private mutating func open(_ block: [ViewKey], at index: Int) {
    let stretch = unused.popLast() ?? addedStretch()
    let start = Int(stretch) * Self.capacity
    keys.replaceSubrange(start..<(start + block.count), with: block)
    firsts.insert(block[0], at: index)
    counts.insert(Int32(block.count), at: index)
    stretches.insert(stretch, at: index)
    count += block.count
  }

  private mutating func addedStretch() -> Int32 {
    let nothing = ViewKey(date: 0, id: MailID(item: 0))
    keys.append(contentsOf: repeatElement(nothing, count: Self.capacity))
    return Int32(keys.count / Self.capacity - 1)
  }

  private mutating func close(_ block: Int) {
    unused.append(stretches.remove(at: block))
    firsts.remove(at: block)
    counts.remove(at: block)
  }
}
