import EventStore
import TestSupport
import Testing

/// A hash table of places.
@Suite struct PlaceTableTests {
  @Test(arguments: 0..<UInt64(Campaign.size(20, long: 1_000)))
  func table_isADictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (table, model) = (PlaceTable(), [UInt32: UInt32]())
    let ids = UInt32.random(in: 2...300, using: &random)
    for _ in 0..<500 {
      let id = UInt32.random(in: 1...ids, using: &random)
      let place = UInt32.random(in: 0...9, using: &random)
      table.set(id, place)
      model[id] = place
      #expect(table.count == model.count, "seed \(seed)")
      #expect(table.place(of: id) == model[id], "seed \(seed)")
    }
    for id in 0...ids { #expect(table.place(of: id) == model[id], "seed \(seed)") }
  }
}
