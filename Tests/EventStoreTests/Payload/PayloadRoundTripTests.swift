import EventStore
import Testing

@Suite struct PayloadRoundTripTests {
  @Test func randomTree_writtenAndRead_isTheSameBitForBit() throws {
    for seed in 0..<500 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let fields = PayloadFields.random(depth: 5, using: &generator)
      let bytes = fields.encoded
      let read = try PayloadFields(decoding: bytes.span.bytes)
      #expect(read == fields, "seed \(seed)")
      #expect(read.hashValue == fields.hashValue, "seed \(seed)")
      #expect(read.encoded == bytes, "seed \(seed)")
    }
  }

  @Test func everyType_writtenAndRead_isTheSame() throws {
    let bytes = PayloadFields.everyType.encoded
    #expect(try PayloadFields(decoding: bytes.span.bytes) == .everyType)
  }

  @Test func everyType_written_hasTheGoldenBytes() {
    let golden: [UInt8] =
      [0x10, 0x21, 0x32]
      + [0x43, 0x01]
      + [0x53, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]
      + [0x64, 0, 0, 0, 0, 0, 0, 0xE0, 0xBF]
      + [0x75, 3, 0x6E, 0xC3, 0xA9]
      + [0xF6, 0x01, 2, 0x00, 0xFF]
      + [0x87, 0x02, 5, 0x15, 0, 0x97, 0x01, 0]
      + [0x88, 0x80, 0x80, 0x80, 0x10, 7, 0x00, 0x03, 0x80, 0x01, 0x08, 1, 0x02]
    #expect(PayloadFields.everyType.encoded == golden)
  }
}
