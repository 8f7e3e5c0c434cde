import LMDB
import TestSupport
import Testing

/// Reading text in blocks gives the same result as reading it byte by byte.
@Suite struct PlainTextTests {
  /// Whether the byte ends plain text.
  private func isStop(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static let backslash = UInt8(ascii: "\\")
  /// The characters that escape letters stand for, by the letter after the backslash.
  private static let letters: [UInt8: UInt8] = [
    0x22: 0x22, 0x2F: 0x2F, backslash: backslash, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
    UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13,
    UInt8(ascii: "t"): 9,
  ]

  private func count(_ bytes: [UInt8], from start: Int) -> (Int, isEscaped: Bool) {
    var isEscaped = false
    return (bytes.raw.plainCount(from: start, &isEscaped), isEscaped)
  }

  @Test func plainCount_endsAtEachByteThatStops_whereverItIs() {
    for byte in UInt8.min...UInt8.max {
      for place in 0..<40 {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 48)
        bytes[place] = byte
        for start in [0, 1, 7] {
          let expected = isStop(byte) && place >= start ? place - start : 48 - start
          let whole = (48 - start) / 16 * 16
          #expect(count(bytes, from: start) == (min(expected, whole), false))
          let eight = start + 8 <= 48 ? min(expected, 8) : 0
          #expect(bytes.raw.plainCountOfEight(from: start) == eight)
        }
      }
    }
  }

  @Test(arguments: 0...50) func plainCount_looksAtWholeBlocksAlone(count: Int) {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
    #expect(self.count(bytes, from: 0) == (count / 16 * 16, false))
    #expect(self.count(bytes, from: count) == (0, false))
    #expect(bytes.raw.plainCountOfEight(from: 0) == (count < 8 ? 0 : 8))
  }

  @Test func plainCount_stepsOverABackslashWithALetter_whereverTheyAre() {
    for letter in UInt8.min...UInt8.max {
      for place in 0..<40 {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 48)
        bytes[place] = Self.backslash
        bytes[place + 1] = letter
        let isWhole = Self.letters[letter] != nil
        #expect(count(bytes, from: 0) == (isWhole ? 48 : place, isWhole))
        bytes[47] = Self.backslash
        #expect(count(bytes, from: 0) == (isWhole ? 47 : place, isWhole))
      }
    }
  }

  /// Reads the text byte by byte.
  private func plainText(_ bytes: [UInt8]) -> (count: Int, text: [UInt8]) {
    var (place, text) = (0, [UInt8]())
    while place < bytes.count {
      if bytes[place] != Self.backslash {
        text.append(bytes[place])
        place += 1
      } else if place + 1 < bytes.count, let meant = Self.letters[bytes[place + 1]] {
        text.append(meant)
        place += 2
      } else {
        break
      }
    }
    return (place, text)
  }

  @Test(arguments: 0..<400) func texts_areWhatOneByteAfterAnotherSays(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = [UInt8](#"ab\\\"/nrtu"#.utf8)
    // Half of the time every letter is a valid escape, so that long texts are read.
    let choices = Bool.random(using: &random) ? alphabet : alphabet.dropLast() + [0x62]
    let bytes = (0..<Int.random(in: 0...120, using: &random)).map { _ in
      Int.random(in: 0..<3, using: &random) == 0
        ? choices[Int.random(in: 0..<choices.count, using: &random)] : UInt8(ascii: "a")
    }
    let expected = plainText(bytes)
    var copy = [UInt8](repeating: 0xEE, count: bytes.count + 12)
    var (read, written) = (0, 5)
    copy.withMutableBytes { bytes.raw.copyPlain(from: &read, into: &$0, at: &written) }
    #expect(read == expected.count && written == 5 + expected.text.count)
    #expect(Array(copy[5..<written]) == expected.text)
    #expect(copy[..<5].allSatisfy { $0 == 0xEE } && copy.suffix(7).allSatisfy { $0 == 0xEE })
  }
}
