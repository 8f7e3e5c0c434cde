import LMDB
import TestSupport
import Testing

/// Recognizing valid UTF-8.
@Suite struct WideTextTests {
  /// What counts as valid is what makes a `String`, for random bytes near valid text.
  @Test(arguments: 0..<4) func validity_isThatOfAString(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts: [[UInt8]] = [
      [0x41], Array("ë".utf8), Array("€".utf8), Array("😀".utf8), [0xED, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xFF],
    ]
    var counts = (valid: 0, invalid: 0)
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        bytes += parts[Int.random(in: 0..<parts.count, using: &random)]
      }
      if !bytes.isEmpty, Int.random(in: 0..<4, using: &random) == 0 { bytes.removeLast() }
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      #expect(bytes.span.bytes.isUTF8 == isValid, "seed \(seed): \(bytes)")
      if isValid { counts.valid += 1 } else { counts.invalid += 1 }
    }
    #expect(counts.valid > 100 && counts.invalid > 100)
  }
}
