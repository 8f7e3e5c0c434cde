import EventStore
import Testing
import TidelineSimulator

@Suite struct WorldTests {
  private func history(_ seed: UInt64) -> [String] {
    let start = Timestamp(rawValue: 1_000_000)
    let mail = MailServer(at: start, seed: seed)
    let world = World(mail: mail, rich: RichServer(.engage, at: start, seed: seed))
    var dice = Dice(seed: seed)
    return (0..<400).map { number in
      mail.advance(to: Timestamp(rawValue: start.rawValue + Int64(number) * 1000))
      return world.step(using: &dice)?.line ?? ""
    }
  }

  @Test func sameSeed_sameWorld() {
    #expect(history(1) == history(1))
    #expect(history(1) != history(2))
  }

  @Test func everything_happens() {
    let words = Set(history(3).flatMap { $0.split(separator: " ") })
    for word in ["comes", "reads", "deletes", "draft", "renamed", "sends", "expires", "edited"] {
      #expect(words.contains(Substring(word)), "nothing \(word)")
    }
  }

  @Test func dice_areFair() {
    var dice = Dice(seed: 9)
    let count = (0..<10_000).filter { _ in dice.happens(250) }.count
    #expect((2200...2800).contains(count))
    let picked = (0..<1000).compactMap { _ in dice.pick(weighted: [("a", 3), ("b", 1), ("c", 0)]) }
    #expect(picked.count == 1000 && !picked.contains("c"))
    #expect((650...850).contains(picked.filter { $0 == "a" }.count))
  }
}
