import EventStore
import TestSupport
import Testing

/// The running checksum that ties each record to all before it.
@Suite struct ChainTests {
  @Test func chain_isTheChecksumOfNumberAndHeader() throws {
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let header = try RecordHeader.random(Int(seed) & 127, using: &generator)
      let number = RecordNumber(rawValue: generator.next())
      let before = UInt32.random(in: 0 ... .max, using: &generator)
      var covered = header.describedBytes.dropLast(4).map { $0 }
      covered[1] &= ~2
      let expected = crc32c(littleEndian(number.rawValue) + covered, continuing: before)
      let chain = Chain(before).extended(
        by: number, header.bytes.span.bytes, count: header.byteCount)
      #expect(chain.value == expected, "seed \(seed)")
    }
  }

  @Test func erasing_leavesItWhole_andAnythingElseDoesNot() throws {
    for combination in 0..<128 {
      var generator = SeededGenerator(seed: UInt64(combination))
      let header = try RecordHeader.random(combination, using: &generator)
      let chain = { (bytes: [UInt8]) in
        Chain(7).extended(by: 9, bytes.span.bytes, count: header.byteCount)
      }
      let bytes = header.bytes
      for bit in 0..<bytes.count * 8 {
        var other = bytes
        other[bit / 8] ^= 1 << UInt8(bit % 8)
        let isFree = bit == 9 || bit / 8 >= bytes.count - 4
        #expect((chain(other) == chain(bytes)) == isFree, "bit \(bit) of \(combination)")
      }
    }
  }

  /// Computes CRC-32C from its definition, one bit at a time.
  private func crc32c(_ bytes: [UInt8], continuing start: UInt32) -> UInt32 {
    var crc = ~start
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
    }
    return ~crc
  }
}
