import LMDB
import TestSupport
import Testing

/// Blocks of text say what one byte after another would.
@Suite struct PlainTextTests {
  /// What ends plain text.
  private func isStop(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  @Test func plainCount_endsAtEachByteThatStops_whereverItIs() {
    for byte in UInt8.min...UInt8.max {
      for place in 0..<40 {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 48)
        bytes[place] = byte
        for start in [0, 1, 7] {
          let expected = isStop(byte) && place >= start ? place - start : 48 - start
          let whole = (48 - start) / 16 * 16
          #expect(bytes.raw.plainCount(from: start) == min(expected, whole))
        }
      }
    }
  }

  @Test(arguments: 0...50) func plainCount_looksAtWholeBlocksAlone(count: Int) {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
    #expect(bytes.raw.plainCount(from: 0) == count / 16 * 16)
    #expect(bytes.raw.plainCount(from: count) == 0)
  }

  @Test func copyPlain_copiesWhatIsBeforeABackslash_andTouchesNothingBehindAll() {
    var random = SeededGenerator(seed: 3)
    for count in 0...70 {
      for place in 0...count {
        var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes = bytes.map { $0 == UInt8(ascii: "\\") ? 0 : $0 }
        if place < count { bytes[place] = UInt8(ascii: "\\") }
        var copy = [UInt8](repeating: 0xEE, count: count + 12)
        let copied = copy.withMutableBytes { bytes.raw.copyPlain(from: 0, into: &$0, at: 5) }
        #expect(copied == place)
        #expect(Array(copy[5..<(5 + place)]) == Array(bytes.prefix(place)))
        #expect(copy[..<5].allSatisfy { $0 == 0xEE } && copy.suffix(7).allSatisfy { $0 == 0xEE })
      }
    }
  }
}
