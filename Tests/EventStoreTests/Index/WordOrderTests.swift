import EventStore
import TestSupport
import Testing

/// The order of places by the words of their keys.
struct WordOrderTests {
  /// A key: its words, and a number that breaks ties between equal words.
  private struct Key {
    let words: SortWords
    let tie: Int

    static func < (a: Key, b: Key) -> Bool {
      a.words == b.words ? a.tie < b.tie : a.words < b.words
    }
  }

  struct Refusal: Error {}

  @Test(arguments: [0, 1, 2, 3, 63, 64, 65, 66, 500, 3000], [0 as UInt64, 1, 2, 3])
  func isThatOfTheWholeKeys(count: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed << 32 | UInt64(count))
    for variety in [1, 3, 256, UInt64.max] {
      let keys = Self.keys(count, variety, &random)
      let order = WordOrder(count: count) {
        keys[$0].words
      } _: { left, right in
        keys[left] < keys[right]
      }
      let places = (0..<order.count).map { order[$0] }
      #expect(places == keys.indices.sorted { keys[$0] < keys[$1] })
    }
  }

  @Test(arguments: [10, 100], 0..<SortWords.countMax)
  func asksNobodyWhereWordsDecide(count: Int, deciding: Int) {
    let order = WordOrder(count: count) { place in
      var words = SortWords(7, 7, 7, 7)
      words[deciding] = UInt64(count - place) << 56 | 1
      return words
    } _: { _, _ in
      Issue.record("the words differ")
      return false
    }
    #expect((0..<count).map { order[$0] } == (0..<count).reversed())
  }

  @Test(arguments: [10, 100])
  func staysAsItWasWhereNothingDecides(count: Int) {
    let order = WordOrder(count: count) { _ in
      SortWords()
    } _: { _, _ in
      false
    }
    #expect((0..<count).map { order[$0] } == Array(0..<count))
  }

  @Test(arguments: [10, 100])
  func throwsWhatDecidingThrows(count: Int) {
    #expect(throws: Refusal.self) {
      _ = try WordOrder(count: count) {
        SortWords(UInt64($0 / 2))
      } _: { _, _ throws(Refusal) in
        throw Refusal()
      }
    }
  }

  /// Returns keys whose words have `variety` distinct values, and differ in some bytes only.
  private static func keys(
    _ count: Int, _ variety: UInt64, _ random: inout SeededGenerator
  ) -> [Key] {
    let (base, shift) = (random.next() as UInt64, UInt64.random(in: 0...56, using: &random))
    return (0..<count).map { tie in
      let words = (0..<3).map { _ in
        variety == .max ? random.next() : base ^ (random.next() % variety) << shift
      }
      return Key(words: SortWords(words[0], words[1], words[2]), tie: tie)
    }
  }
}
