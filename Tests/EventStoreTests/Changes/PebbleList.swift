import EventStore
import TestSupport

/// The key by which a list of pebbles is sorted.
struct PebbleKey: Comparable {
  var weight: Int
  let id: Int

  var words: SortWords { SortWords(UInt64(bitPattern: Int64(weight)) ^ 1 << 63) }

  static func < (a: PebbleKey, b: PebbleKey) -> Bool { (a.weight, a.id) < (b.weight, b.id) }
}

/// All pebbles at one moment: the content of each, and a key for each that is in the list.
struct PebbleList {
  private(set) var keys: [PebbleKey?]
  private(set) var contents: [Int]

  init(idCount: Int, using random: inout SeededGenerator) {
    keys = Array(repeating: nil, count: idCount)
    contents = Array(repeating: 0, count: idCount)
    for id in 0..<idCount where Bool.random(using: &random) { setRandomKey(id, using: &random) }
  }

  /// Changes one pebble, or nothing.
  mutating func step(using random: inout SeededGenerator) {
    let id = Int.random(in: 0..<keys.count, using: &random)
    switch random.next() % 8 {
    case 0, 1: keys[id] = nil
    case 2: setRandomKey(id, using: &random)
    case 3: if keys[id] == nil { setRandomKey(id, using: &random) }
    case 4: keys[id]?.weight += Bool.random(using: &random) ? 1 : -1
    case 5: contents[id] ^= 1
    default: contents[id] = Int.random(in: 0..<Pebble.contentCount, using: &random)
    }
  }

  private mutating func setRandomKey(_ id: Int, using random: inout SeededGenerator) {
    keys[id] = PebbleKey(weight: Int.random(in: 0..<keys.count, using: &random), id: id)
  }

  /// The keys of the pebbles in the list, in order.
  var order: [PebbleKey] { keys.compactMap { $0 }.sorted() }

  /// Returns the net changes of a stretch of the journal, from an earlier moment to this one.
  ///
  /// Some unchanged pebbles are included as well, and some fields whose values changed back.
  func net(since old: PebbleList, using random: inout SeededGenerator)
    -> [ListDelta<PebbleKey>.Entry]
  {
    keys.indices.compactMap { id in
      let isChanged = old.keys[id] != keys[id] || old.contents[id] != contents[id]
      guard isChanged || random.next() % 16 == 0 else { return nil }
      return ListDelta.Entry(
        row: RowID(rawValue: UInt32(id)), old: old.keys[id], new: keys[id],
        difference: random.next() % 4 == 0
          ? Pebble.wholeDifferences[id][old.contents[id]]
          : Pebble.differences[id][old.contents[id]][contents[id]])
    }
  }
}

/// A list of pebbles at the end of a stretch, with their contents at its beginning.
struct PebbleSource: ListSource {
  let order: [PebbleKey]
  let contents: [Int]
  let oldContents: [Int]
  private(set) var ranks = 0

  init(_ list: PebbleList, since old: PebbleList) {
    order = list.order
    contents = list.contents
    oldContents = old.contents
  }

  func words(of key: PebbleKey) -> SortWords { key.words }
  func comesBefore(_ a: PebbleKey, _ b: PebbleKey) -> Bool { a < b }
  func count() -> Int { order.count }

  mutating func rank(of key: PebbleKey) -> Int {
    ranks += 1
    return order.firstIndex { $0 >= key } ?? order.count
  }

  func row(at index: Int) -> Row {
    let id = order[index].id
    return Pebble.rows[id][contents[id]]
  }

  func row(_ id: RowID) -> Row { Pebble.rows[Int(id.rawValue)][contents[Int(id.rawValue)]] }

  func trace(of id: RowID) -> RowTrace {
    Pebble.traces[Int(id.rawValue)][oldContents[Int(id.rawValue)]]
  }
}
