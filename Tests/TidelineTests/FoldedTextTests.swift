import Foundation
import TestSupport
import Testing
import Tideline

/// Folding maps texts that a reader considers the same to the same text.
@Suite struct FoldedTextTests {
  @Test(arguments: [
    ("", ""), ("Hello World", "hello world"), ("Crème Brûlée", "creme brulee"),
    ("cre\u{300}me", "creme"), ("ÅNGSTRÖM", "angstrom"), ("\u{212B}", "a"), ("ﬁn", "fin"),
    ("Ａｂ", "ab"), ("Straße", "strasse"), ("ΣΊΣΥΦΟΣ", "σισυφοσ"), ("σίσυφος", "σισυφοσ"),
    ("İstanbul", "istanbul"), ("Йод", "иод"), ("か\u{3099}", "が"), ("が", "が"), ("한글", "한글"),
    ("👨‍👩‍👧", "👨‍👩‍👧"), ("½", "1⁄2"),
  ])
  func text_isFolded(text: String, folded: String) {
    let scalars = FoldedText(text).text.unicodeScalars.map { String($0.value, radix: 16) }
    #expect(scalars == folded.unicodeScalars.map { String($0.value, radix: 16) }, "\(text)")
  }

  @Test func folding_isDone() {
    var dice = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let scalars = (0..<4).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x1FFFF, using: &dice))
      }
      let text = String(String.UnicodeScalarView(scalars)) + Drawn.text(&dice)
      let folded = FoldedText(text)
      let again = FoldedText(folded.text)
      #expect(again.text.utf8.elementsEqual(folded.text.utf8), "\(scalars)")
      let composed = folded.text.precomposedStringWithCanonicalMapping
      #expect(composed.utf8.elementsEqual(folded.text.utf8), "\(scalars)")
    }
  }

  @Test func json_isFoldedAgain() throws {
    let texts = try JSONDecoder().decode([FoldedText].self, from: Data(#"["Crème"]"#.utf8))
    #expect(texts == [FoldedText("creme")])
    #expect(try JSONEncoder().encode(texts) == Data(#"["creme"]"#.utf8))
  }
}
