import EventStore
import TestSupport
import Testing

/// The bytes of a record's header.
@Suite struct HeaderTests {
  private static let combinations = 0..<128

  @Test func eachCombination_roundTripsAsDescribed() throws {
    for combination in Self.combinations {
      for seed in 0..<20 as Range<UInt64> {
        var generator = SeededGenerator(seed: seed << 8 | UInt64(combination))
        let header = try RecordHeader.random(combination, using: &generator)
        let message: Comment = "combination \(combination), seed \(seed)"
        #expect(header.bytes == header.describedBytes, message)
        #expect(RecordHeader(header.bytes.span.bytes) == header, message)
        let more = header.bytes + [1, 2, 3]
        #expect(RecordHeader(more.span.bytes) == header, "what follows is not looked at")
      }
    }
  }

  @Test func size_isAsSmallAsItsFields() throws {
    var header = try RecordHeader.bare()
    #expect(header.byteCount == 28)
    header.login = Login(account: .max, epoch: .max)
    header.entity = Fingerprint(rawValue: .max)
    #expect(header.byteCount == 44)
    (header.cause, header.exchange) = (1, 2)
    #expect(header.byteCount == 60)
  }

  /// Files hold these bytes, so they never change.
  @Test func goldenBytes() throws {
    var header = try RecordHeader.bare()
    header.kind = EventKind(rawValue: 0x0203)
    header.version = 4
    header.recordedAt = Timestamp(rawValue: 1_700_000_000_000)
    (header.payloadCount, header.payloadChecksum, header.chain) = (5, 0x0607_0809, 0x0A0B_0C0D)
    let bare = "01 00 0302 04 00 0000 0068e5cf8b010000 05000000 09080706 0d0c0b0a"
    #expect(header.hex == bare.compact)

    header.origin = .intent
    header.login = Login(account: 0x11, epoch: 0x12)
    header.entity = Fingerprint(rawValue: 0x13)
    let about =
      "01 49 0302 04 00 0000 0068e5cf8b010000 05000000 09080706"
      + "1100000012000000 1300000000000000 0d0c0b0a"
    #expect(header.hex == about.compact)

    (header.isErased, header.isBaseline, header.cause, header.exchange) = (true, true, 0x14, 0x15)
    let whole =
      "01 7f 0302 04 00 0000 0068e5cf8b010000 05000000 09080706"
      + "1100000012000000 1400000000000000 1500000000000000 1300000000000000 0d0c0b0a"
    #expect(header.hex == whole.compact)
  }

  @Test func truncation_isNoHeader() throws {
    for combination in Self.combinations {
      var generator = SeededGenerator(seed: UInt64(combination))
      let bytes = try RecordHeader.random(combination, using: &generator).bytes
      for count in bytes.indices {
        #expect(RecordHeader(bytes.span.bytes.extracting(first: count)) == nil)
      }
    }
  }

  /// Another form, reserved bits or another coding, as a later version may write, is not misread.
  @Test func unknownForm_isNoHeader() throws {
    let bytes = try RecordHeader.bare().bytes
    let unknown = [0: [0, 2, 255], 1: [128, 255], 5: [1, 255], 6: [1], 7: [128]]
    for (offset, values) in unknown {
      for value in values {
        var other = bytes + [UInt8](repeating: 0, count: 32)
        other[offset] = UInt8(value)
        #expect(RecordHeader(other.span.bytes) == nil, "\(value) at \(offset)")
      }
    }
  }

  @Test func anyBytes_areAHeaderThatRoundTrips_orNone() {
    var headers = 0
    for seed in 0..<20_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var bytes = [UInt8].random(upTo: 80, using: &generator)
      if seed % 2 == 0, bytes.count > 8 { bytes.replaceSubrange(5..<8, with: [0, 0, 0]) }
      if seed % 4 != 3, !bytes.isEmpty { bytes[0] = 1 }
      guard let header = RecordHeader(bytes.span.bytes) else { continue }
      headers += 1
      #expect(header.bytes == Array(bytes.prefix(header.byteCount)), "seed \(seed)")
    }
    #expect(headers > 1000)
  }
}

extension RecordHeader {
  fileprivate var hex: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension String {
  fileprivate var compact: String { filter { $0 != " " } }
}
