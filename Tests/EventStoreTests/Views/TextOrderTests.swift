import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Texts compared as bytes, and their words, against their NFC forms.
@Suite struct TextOrderTests {
  private func sign(_ order: Int) -> Int { order.signum() }

  private func word(_ text: String) -> UInt64 { TextWord.word(of: Array(text.utf8).raw) }

  @Test(arguments: 0..<UInt64(Campaign.size(20, long: 2_000)))
  func order_isThatOfNFC(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let (a, b) = Texts.pair(using: &random)
      let order = TextOrder.compare(Array(a.utf8).raw, Array(b.utf8).raw)
      let (first, second) = (NormalText(a), NormalText(b))
      let expected = first == second ? 0 : first < second ? -1 : 1
      #expect(sign(order) == expected, "seed \(seed): \(a.debugDescription), \(b.debugDescription)")
    }
  }

  @Test(arguments: 0..<UInt64(Campaign.size(20, long: 2_000)))
  func words_neverContradictNFC(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let (a, b) = Texts.pair(using: &random)
      let (first, second) = (word(a), word(b))
      let message: Comment = "seed \(seed): \(a.debugDescription), \(b.debugDescription)"
      if first < second { #expect(NormalText(a) < NormalText(b), message) }
      if first > second { #expect(NormalText(a) > NormalText(b), message) }
      if first == second, TextWord.isConclusive(first) { #expect(a == b, message) }
      if a == b { #expect(first == second, message) }
      #expect(first > 0, message)
    }
  }

  /// Swift's own order depends on the spelling here; comparing words with it revealed these pairs.
  @Test func order_whereOneFormBeginsWithTheOther() {
    let pairs = [
      ("\u{212A}", "Ka"), ("e\u{301}", "éa"), ("\u{1FEF}", "`\n"), ("\u{212B}", "Å\0"),
      ("\u{37E}\0", ";\0\0"), ("\u{37E}\0", ";\u{1}"), ("e\u{301}", "é\u{1}"), ("", "\u{301}"),
    ]
    for (a, b) in pairs {
      #expect(TextOrder.compare(Array(a.utf8).raw, Array(b.utf8).raw) < 0, "\(a.debugDescription)")
      #expect(TextOrder.compare(Array(b.utf8).raw, Array(a.utf8).raw) > 0, "\(a.debugDescription)")
    }
  }

  @Test func plainness_dependsOnEveryByte() {
    for count in 0..<40 {
      var bytes = [UInt8](repeating: 0x7F, count: count)
      let isPlain = bytes.raw.isASCII
      #expect(isPlain)
      for index in 0..<count {
        bytes[index] = 0x80
        let isPlain = bytes.raw.isASCII
        #expect(!isPlain, "byte \(index) of \(count)")
        bytes[index] = 0x7F
      }
    }
  }

  @Test func words_ofExamples() {
    let words: [(String, UInt64, isConclusive: Bool)] = [
      ("", 1, true), ("a", 0x61 << 56, true), ("seven c", 0x7365_7665_6E20_6300, true),
      ("eight ch", 0x6569_6768_7420_6368, false), ("eight char", 0x6569_6768_7420_6368, false),
      ("\0x", 1 << 56, false), ("\u{1}", 1 << 56, false), ("\u{2}", 2 << 56, true),
      ("é", 0x80 << 56, false), ("a\u{301}", 0x80 << 56, false), ("q\u{301}", 0x7180 << 48, false),
      ("\u{212A}a", 0x4B61 << 48, true), ("seven chä", 0x7365_7665_6E20_6368, false),
      ("eight cha\u{301}", 0x6569_6768_7420_6368, false),
      ("seven ca\u{301}", 0x7365_7665_6E20_6380, false), ("漢字", 0x80 << 56, false),
    ]
    for (text, expected, isConclusive) in words {
      #expect(word(text) == expected, "\(text)")
      #expect(TextWord.isConclusive(expected) == isConclusive, "\(text)")
    }
    #expect(TextWord.isConclusive(0))
  }

  /// Takes a second: the test goes through all scalars.
  @Test func scalars_thatAreASCIIInNFCAreKnown() {
    var wrong: [Unicode.Scalar] = []
    for scalar in (0...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
      let isASCII = String(scalar) < "\u{80}"
      if TextWord.simplified(scalar).isASCII != isASCII { wrong.append(scalar) }
    }
    #expect(wrong == [])
  }

  /// Takes a second or two: all scalars up to the last plain ones, after texts that may merge.
  @Test func plainScalars_areTheirOwnNFCForm() {
    let before = ["e", "K", "\u{3046}", "\u{AC00}", "\u{1100}", "\u{9C7}", "\u{DD9}", "\u{11131}"]
    var wrong: [Unicode.Scalar] = []
    var count = 0
    for scalar in (0...0x1FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
      let text = String(scalar)
      let bytes = Array(text.utf8)
      let plain = PlainScalar.count(in: bytes.raw, at: 0)
      guard plain > 0 else { continue }
      count += 1
      let isAlone = scalar.properties.canonicalCombiningClass == .notReordered
      let isKept = (before + [""]).allSatisfy { before in
        let whole = before + text
        return whole.precomposedStringWithCanonicalMapping.unicodeScalars
          .elementsEqual(whole.unicodeScalars)
      }
      if plain != bytes.count || !isAlone || !isKept { wrong.append(scalar) }
    }
    #expect(wrong == [])
    #expect(count == 40_998)
  }
}
