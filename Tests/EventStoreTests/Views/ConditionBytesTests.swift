import EventStore
import TestSupport
import Testing

/// The bytes of a condition decode to the same condition, and nothing else decodes to one.
@Suite struct ConditionBytesTests {
  private static let seeds = 0..<UInt64(Campaign.size(50, long: 5_000))

  @Test(arguments: seeds) func bytes_areReadAgain(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<10 {
      let condition = NormalCondition(Formula.sample(using: &random).condition)
      #expect(NormalCondition(condition.bytes, on: Letter.all) == condition, "seed \(seed)")
    }
  }

  /// A condition that decodes can be asked of rows, whatever it says.
  @Test(arguments: seeds) func bytes_thatAreDamaged_areRefused_orAreACondition(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let row = try Letter.sample(id: "l", using: &random)
    for _ in 0..<20 {
      var bytes = NormalCondition(Formula.sample(using: &random).condition).bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeSubrange(place...)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(.random(in: 0...8, using: &random), at: place)
        default: bytes[place] = .random(in: 0...255, using: &random)
        }
      }
      guard let condition = NormalCondition(bytes, on: Letter.all) else { continue }
      _ = ConditionProgram(condition).matches(row.view)
    }
  }

  /// With other texts, a condition is in normal form, and asks for bounds instead of prefixes.
  @Test func texts_areReplaced_inNormalForm() {
    let begins = Letter.title.hasPrefix("a")
    let lies = Letter.title >= "xa" && Letter.title <= "xa\u{10FFFD}"
    let (now, was) = (Letter.folder == "xb", Letter.folder == "b")
    let pairs: [(Condition, Condition)] = [
      (begins, lies), (!begins, !lies), (was && begins, now && lies), (was || begins, now || lies),
      (!(was && begins), !(now && lies)), (!(was || begins), !(now || lies)),
    ]
    for (before, after) in pairs {
      let replaced = NormalCondition(before).replacingTexts({ text, _ in "x" + text }) { _, _ in
        true
      }
      #expect(replaced == NormalCondition(after))
      #expect(NormalCondition(replaced.bytes, on: Letter.all) == replaced)
    }
  }

  @Test func bytes_thatAreNone_areRefused() {
    let deep = (0..<100_000).flatMap { _ in [4, 1, 0, 0, 0] as [UInt8] }
    let few = NormalCondition(Letter.count == 1).bytes
    for bytes in [[], [0], [9], few + [1], Array(few.dropLast()), [4, 255, 255, 255, 255], deep] {
      #expect(NormalCondition(bytes, on: Letter.all) == nil, "\(bytes.prefix(9))")
    }
  }
}
