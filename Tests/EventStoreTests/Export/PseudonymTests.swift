import EventStore
import TestSupport
import Testing

/// Pseudonyms keep the order and the length of their texts, and differ if the texts do.
@Suite struct PseudonymTests {
  private func redaction(_ seed: UInt64) -> Redaction {
    var redaction = Redaction(secret: "secret \(seed)")
    redaction.kept = ["inbox", "unread", "all", "allmail", "Zoo", "m", "été"]
    redaction.prefixes = ["local-"]
    return redaction
  }

  private func text(_ dice: inout SeededGenerator) -> String {
    let alphabets = ["abc", "0123456789abcdef", "aZ9_-@. ", "é語🐚a", "inboxalmunread"]
    let alphabet = Array(alphabets.randomElement(using: &dice) ?? "a")
    let count = Int.random(in: 0...(Bool.random(using: &dice) ? 3 : 30), using: &dice)
    return String((0..<count).map { _ in alphabet.randomElement(using: &dice) ?? "a" })
  }

  private func isLess(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

  @Test func ordered_keepsTheOrderOfBytes() {
    for seed in Campaign.seeds(20, long: 500) {
      var dice = SeededGenerator(seed: seed)
      let pseudonyms = Pseudonyms(redaction(seed))
      let others = ["inbox", "unread", "allm", "l", "loc", "local", "local-", "local0", "locam"]
      let prefixed = (0..<30).map { _ in "local-\(text(&dice))" }
      let texts = Set((0..<300).map { _ in text(&dice) }).union(others).union(prefixed)
        .sorted(by: isLess)
      let found = texts.map { pseudonyms.pseudonym(of: $0, .ordered) }
      for (index, text) in texts.enumerated().dropFirst() {
        let (before, name) = (found[index - 1], found[index])
        #expect(
          isLess(before, name), "seed \(seed): \(texts[index - 1]), \(text): \(before), \(name)")
      }
      #expect(pseudonyms.pseudonym(of: "inbox", .ordered) == "inbox")
      #expect(pseudonyms.pseudonym(of: "local-1", .ordered).hasPrefix("local-"))
    }
  }

  @Test func folded_keepsTheOrderOfFoldedTexts() {
    for seed in Campaign.seeds(20, long: 500) {
      var dice = SeededGenerator(seed: seed)
      let pseudonyms = Pseudonyms(redaction(seed))
      let texts = (0..<300).map { _ in text(&dice) }
      let found = texts.map { pseudonyms.pseudonym(of: $0, .folded) }
      for index in texts.indices.dropFirst() {
        let (a, b) = (texts[index - 1].lowercased(), texts[index].lowercased())
        let (c, d) = (found[index - 1].lowercased(), found[index].lowercased())
        #expect(isLess(a, b) == isLess(c, d) && (a == b) == (c == d), "seed \(seed): \(a), \(b)")
      }
    }
  }

  @Test func lengths_areKept() {
    let pseudonyms = Pseudonyms(redaction(1))
    let ids = (0..<1000).map { "msg-\($0 * 7919)" }
    let grown = ids.map { pseudonyms.pseudonym(of: $0, .ordered).utf8.count - $0.utf8.count }
    #expect(grown.allSatisfy { 0...2 ~= $0 }, "\(Set(grown))")
    let prose = String(repeating: "Minutes of the meeting, and what comes of it. ", count: 20)
    for treatment in [Redaction.Treatment.ordered, .folded, .prose] {
      let name = pseudonyms.pseudonym(of: prose, treatment)
      #expect(abs(name.utf8.count - prose.utf8.count) <= prose.utf8.count / 16)
      #expect(!name.contains("Minutes") && !name.contains("meeting"))
    }
  }

  /// Texts in other scripts and emoji, 180 to 300 bytes long.
  @Test(arguments: [
    "关于下一季度计划会议的纪要，请各位在周五之前确认并回复您的意见和建议。",
    "протокол совещания о планах на следующий квартал, с поправками ивана и выводами. ",
    "来週の会議の議事録をお送りします。ご確認のうえ、ご返信ください。カレンダーの予定",
    "다음 분기 계획 회의의 회의록을 보내드립니다. 금요일까지 확인해 주세요. ",
    "🎉🎊🥳📅✅🐚🚀🌊📬💌🎈🎉🎊🥳📅🐚🚀🌊📬💌🎈🎉🎊🥳📅",
  ])
  func lengths_ofOtherScripts_areAboutKept(_ line: String) {
    let text = line + line
    for seed in 0..<UInt64(8) {
      let pseudonyms = Pseudonyms(redaction(seed))
      for treatment in [Redaction.Treatment.ordered, .folded] {
        let count = pseudonyms.pseudonym(of: text, treatment).utf8.count
        #expect(4 * count <= 5 * text.utf8.count, "seed \(seed), \(treatment): \(count), \(text)")
      }
    }
    let name = Pseudonyms(redaction(1)).pseudonym(of: "田中太郎", .folded)
    #expect(name.utf8.count <= "田中太郎".utf8.count + 8)
  }

  /// Of several overlapping prefixes, the longest is kept in every run.
  @Test func prefixes_overlapping_theLongestStays() {
    let prefixes = (1...12).map { String(repeating: "p", count: $0) }
    var redaction = redaction(1)
    redaction.prefixes = Set(prefixes)
    let name = Pseudonyms(redaction).pseudonym(of: prefixes[11] + "secret", .ordered)
    #expect(name.hasPrefix(prefixes[11]) && name != prefixes[11] + "secret")
    redaction.prefixes = [prefixes[11]]
    #expect(Pseudonyms(redaction).pseudonym(of: prefixes[11] + "secret", .ordered) == name)
  }

  @Test func secrets_makeOthers() {
    let (one, other) = (Pseudonyms(redaction(1)), Pseudonyms(redaction(2)))
    let again = Pseudonyms(redaction(1))
    #expect(one.pseudonym(of: "Alice", .folded) == again.pseudonym(of: "Alice", .folded))
    #expect(one.pseudonym(of: "Alice", .folded) != other.pseudonym(of: "Alice", .folded))
    #expect(one.pseudonym(of: "Alice", .folded) != one.pseudonym(of: "alice", .folded))
  }

  @Test func json_isJSONOfTheSameForm() {
    let pseudonyms = Pseudonyms(redaction(1))
    let json = #"{"name":"Alice \"A\" Smith","n":[1,-12.5e3,true,null],"x":{"inbox":"é"}}"#
    let other = pseudonyms.pseudonym(of: json, .json)
    let shape = other.filter { "{}[]:,\"".contains($0) }
    #expect(shape == #"{"":"","":[,,,],"":{"":""}}"#)
    #expect(other.contains("true") && other.contains("null") && other.contains("\"inbox\""))
    #expect(!other.contains("Alice") && !other.contains("Smith") && !other.contains("12.5"))
  }

  @Test func words_stayInProse() {
    var redaction = redaction(1)
    redaction.words = ["invoice"]
    let prose = "Your invoice of yesterday, and no other invoice."
    let other = Pseudonyms(redaction).pseudonym(of: prose, .prose)
    #expect(other.utf8.count == prose.utf8.count && !other.contains("yesterday"))
    #expect(other.ranges(of: "invoice").count == 2)
  }
}
