import LMDB
import TestSupport
import Testing

@Suite struct ChecksumTests {
  @Test func knownValues() {
    #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
    #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(checksum([]) == 0)
  }

  @Test func instruction_givesWhatTheTableGives() {
    var random = SeededGenerator(seed: 7)
    let bytes = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
    for count in Array(0...700) + [1535, 1536, 1537, 1600, 3071, 4000] {
      let part = Array(bytes[(count % 7)...].prefix(count))
      let start = UInt32.random(in: 0...(.max), using: &random)
      #expect(
        checksum(part, continuing: start) == Checksum.byTable(part.rawSpan, continuing: start),
        "\(count) bytes")
    }
  }

  @Test func prefixed_isTheIntegerThenTheBytes() {
    for count in [0, 1, 8, 44, 300] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let prefix: UInt64 = 0x0102_0304_0506_0708
      var whole: [UInt8] = []
      whole.append(littleEndian: prefix)
      #expect(
        Checksum.of(prefix, bytes.rawSpan, continuing: 9) == checksum(whole + bytes, continuing: 9))
    }
  }

  private func checksum(_ bytes: [UInt8], continuing start: UInt32 = 0) -> UInt32 {
    Checksum.of(bytes.rawSpan, continuing: start)
  }
}
