import EventStore
import TestSupport
import Testing

/// The places of rows by their numbers.
@Suite struct RowPlacesTests {
  @Test(arguments: 0..<UInt64(Campaign.size(20, long: 1_000)))
  func table_isADictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (table, model) = (RowPlaces(), [UInt32: UInt32]())
    let ids = UInt32.random(in: 2...300, using: &random)
    for _ in 0..<500 {
      let id = UInt32.random(in: 1...ids, using: &random)
      switch Int.random(in: 0..<200, using: &random) {
      case 0:
        table.removeAll()
        model = [:]
      case 1..<80:
        table.remove(id)
        model[id] = nil
      default:
        let place = UInt32.random(in: 0...9, using: &random)
        table.set(id, place)
        model[id] = place
      }
      #expect(table.count == model.count, "seed \(seed)")
      #expect(table.place(of: id) == model[id], "seed \(seed)")
    }
    for id in 0...ids { #expect(table.place(of: id) == model[id], "seed \(seed)") }
    var (found, places): ([UInt32], [UInt32?]) = ([], [])
    table.forEach { id, place in
      found.append(id)
      places.append(place)
    }
    #expect(found == model.keys.sorted(), "seed \(seed)")
    #expect(places == found.map { model[$0] }, "seed \(seed)")
  }
}
