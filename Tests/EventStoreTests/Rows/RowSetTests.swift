import EventStore
import TestSupport
import Testing

/// A set of rows behaves as Swift's does.
@Suite struct RowSetTests {
  @Test(arguments: 0..<UInt64(20)) func sets_areSwifts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (set, model) = (RowSet(), Set<UInt32>())
    let most = random.next() % 2 == 0 ? 100 : 10_000 as UInt32
    for _ in 0..<200 {
      let id = UInt32.random(in: 0...most, using: &random)
      #expect(set.insert(id) == model.insert(id).inserted, "seed \(seed)")
    }
    var (up, down): ([UInt32], [UInt32]) = ([], [])
    set.forEach { up.append($0) }
    set.forEachReversed { down.append($0) }
    #expect(up == model.sorted() && down == up.reversed(), "seed \(seed)")
    #expect(set.count == model.count && !set.isEmpty, "seed \(seed)")
    for id in 0...most + 70 { #expect(set.contains(id) == model.contains(id), "seed \(seed)") }
    set.removeAll()
    #expect(set.isEmpty && set.first(from: 0) == nil, "seed \(seed)")
  }
}
