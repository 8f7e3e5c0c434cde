import BenchmarkPeers
import TestSupport
import Testing

struct CountedArrayTests {
  /// Keys with few distinct dates, so that ids must tell keys apart.
  private static let keys = (0..<6000).map { number in
    ViewKey(date: Int64(number % 100), id: MailID(item: number))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func randomChanges_leaveWhatASortedArrayHas(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var model: [ViewKey] = Array(Self.keys.shuffled(using: &random).prefix(2000)).sorted()
    var array = CountedArray(ascending: model)
    // The array first grows until blocks split, then shrinks until blocks vanish.
    for step in 0..<4000 {
      let key = Self.keys.randomElement(using: &random) ?? Self.keys[0]
      let rank = rank(of: key, in: model)
      let isThere = rank < model.count && model[rank] == key
      #expect(array.rank(of: key) == rank, "seed \(seed), step \(step)")
      if isThere, step > 2000 || step % 4 == 0 {
        #expect(array.erase(key) == rank, "seed \(seed), step \(step)")
        model.remove(at: rank)
      } else if !isThere, step < 2000 || step % 4 == 0 {
        #expect(array.insert(key) == rank, "seed \(seed), step \(step)")
        model.insert(key, at: rank)
      }
      if step % 100 == 0 { array.checkInvariants() }
    }
    array.checkInvariants()
    #expect(array.keys(from: 0, count: model.count + 1) == model)
    #expect(array.keys(from: 700, count: 50) == Array(model[700..<750]))
    for key in model { array.erase(key) }
    array.checkInvariants()
    #expect(array.count == 0)
  }

  private func rank(of key: ViewKey, in model: [ViewKey]) -> Int {
    var range = 0..<model.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = model[middle] < key ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  @Test func ascendingAndDescending_splitBlocks() {
    let sorted = Self.keys.sorted()
    for keys in [sorted, sorted.reversed()] {
      var array = CountedArray()
      for key in keys { array.insert(key) }
      array.checkInvariants()
      #expect(array.keys(from: 0, count: .max / 2) == sorted)
    }
  }
}

struct EditsTests {
  /// Ranks of keys and a comparison of both lists agree on every place.
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func ranksAndComparison_agree(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let keys = (0..<60).map { ViewKey(date: Int64($0 % 9), id: MailID(item: $0)) }
    let old = keys.filter { _ in Bool.random(using: &random) }.sorted()
    let new = keys.filter { _ in Bool.random(using: &random) }.sorted()
    let compared = Edits(from: old, to: new)
    let ranked = Edits(
      removed: old.filter { !new.contains($0) }.shuffled(using: &random),
      inserted: new.filter { !old.contains($0) }.shuffled(using: &random)
    ) { key in new.count { $0 < key } }
    #expect(compared == ranked, "seed \(seed)")
    #expect(applied(compared, old, new) == new, "seed \(seed)")
  }

  private func applied(_ edits: Edits, _ old: [ViewKey], _ new: [ViewKey]) -> [ViewKey] {
    var list = old
    for place in edits.removals.reversed() { list.remove(at: place) }
    for place in edits.insertions { list.insert(new[place], at: place) }
    return list
  }
}
