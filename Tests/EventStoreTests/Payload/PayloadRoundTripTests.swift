import EventStore
import TestSupport
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

  @Test func fields_setInAnyOrder_haveTheSameBytes() {
    for seed in 0..<100 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let fields = PayloadFields.random(depth: 2, using: &generator)
      var other: PayloadFields = [7: .null]
      for field in fields.shuffled(using: &generator) { other[field.number] = field.value }
      if fields[7] == nil { other[7] = nil }
      #expect(other == fields, "seed \(seed)")
      #expect(other.encoded == fields.encoded, "seed \(seed)")
    }
  }

  @Test func values_areEqual_exactlyWhereTheirBytesAre() {
    let values: [PayloadValue] = [
      .null, .boolean(false), .boolean(true), .integer(0), .integer(1), .double(0), .double(-0.0),
      .double(.nan), .double(Double(nan: 5, signaling: false)), .double(.signalingNaN),
      .text(""), .text("\u{E9}"), .text("e\u{301}"), .bytes([]), .bytes([0]), .list([]),
      .list([.null]), .fields([:]), .fields([1: .null]), .fields([2: .null]),
    ]
    for (i, left) in values.enumerated() {
      for (j, right) in values.enumerated() {
        #expect((left == right) == (i == j), "\(left), \(right)")
        let bytes = [left, right].map { ([1: $0] as PayloadFields).encoded }
        #expect((bytes[0] == bytes[1]) == (i == j), "\(left), \(right)")
      }
    }
  }

  @Test func absentField_isNotNull() {
    let fields: PayloadFields = [1: .null]
    #expect(fields[1] == .null)
    #expect(fields[2] == nil)
    #expect(fields != [:])
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

  @Test func exampleOfTheFormatsArticle_hasTheBytesThere() {
    let fields: PayloadFields = [
      1: .text("Lunch?"), 2: .integer(-1), 3: .list([.boolean(true), .integer(64)]),
    ]
    #expect(
      fields.encoded == [
        0x15, 0x06, 0x4C, 0x75, 0x6E, 0x63, 0x68, 0x3F, 0x23, 0x01, 0x38, 0x04, 0x02, 0x03, 0x80,
        0x01,
      ])
  }
}
