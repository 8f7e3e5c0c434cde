import EventStore
import TestSupport
import Testing

@Suite struct PayloadWriterTests {
  private struct Refusal: Error {}

  @Test func manyPayloads_writtenIntoOneArray_neverMoveIt() {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 << 16)
    let address = address(of: bytes)
    for index in 0..<100 {
      PayloadWriter.write(into: &bytes) { writer in
        writer.put(1, index)
        writer.putFields(2) { $0.put(1, String(repeating: "x", count: index * 2)) }
        writer.putList(3) { items in items.appendList { $0.append(0.5) } }
      }
      // Checked after each write, since a copy may land where an earlier one was.
      #expect(self.address(of: bytes) == address)
    }
  }

  private func address(of bytes: [UInt8]) -> UnsafeRawPointer? {
    bytes.withUnsafeBytes { $0.baseAddress }
  }

  @Test func payload_writtenAfterOthers_leavesThemAsTheyWere() {
    var bytes: [UInt8] = [1, 2, 3]
    PayloadWriter.write(into: &bytes) { $0.put(1, true) }
    PayloadWriter.write(into: &bytes) { $0.put(1, false) }
    #expect(bytes == [1, 2, 3, 0x12, 0x11])
  }

  /// The tags and lengths of the texts take one, two, three or more bytes.
  @Test(arguments: [1, 7, 8, 1023, 1024, 131_071, 131_072])
  func borrowedText_isWrittenAsAText(number: Int) {
    for count in [0, 1, 127, 128, 16_383, 16_384, (1 << 21) - 1, 1 << 21] {
      let text = String(repeating: "x", count: count)
      let bytes = Array(text.utf8)
      let borrowed = PayloadWriter.bytes { $0.put(number, utf8: bytes.span.bytes) }
      #expect(borrowed == PayloadWriter.bytes { $0.put(number, text) }, "\(count) bytes")
    }
  }

  @Test func fields_asTheyStandInAPayload_areFieldsOfAnother() {
    let fields = PayloadWriter.bytes { writer in
      writer.put(3, "three")
      writer.put(20, 20)
    }
    let bytes = PayloadWriter.bytes { writer in
      writer.put(1, true)
      writer.put(fields: fields.span.bytes, through: 20)
      writer.put(fields: RawSpan(), through: 0)
      writer.put(21, false)
    }
    let expected: PayloadFields = [
      1: .boolean(true), 3: .text("three"), 20: .integer(20), 21: .boolean(false),
    ]
    #expect(bytes == expected.encoded)
  }

  @Test func body_thatThrows_leavesTheBytesAsTheyWere() {
    var bytes: [UInt8] = [1, 2, 3]
    #expect(throws: Refusal.self) {
      try PayloadWriter.write(into: &bytes) { writer in
        writer.put(1, "gone")
        try writer.putFields(2) { _ in throw Refusal() }
      }
    }
    #expect(bytes == [1, 2, 3])
  }

  @Test func nestedBody_thatThrows_leavesNothingOfItsField() {
    let bytes = PayloadWriter.bytes { writer in
      writer.put(1, true)
      try? writer.putFields(2) { inner in
        inner.put(1, "gone")
        throw Refusal()
      }
      try? writer.putList(3) { items in
        items.append("gone")
        throw Refusal()
      }
      writer.put(4, true)
    }
    #expect(bytes == ([1: .boolean(true), 4: .boolean(true)] as PayloadFields).encoded)
  }

  @Test func nestedContent_ofAnyLength_hasItsLengthInFewestBytes() throws {
    for count in [0, 1, 124, 125, 126, 127, 128, 129, 16_380, 16_384, 70_000] {
      let fields: PayloadFields = [
        1: .fields([1: .bytes([UInt8](repeating: 7, count: count))]), 2: .boolean(true),
      ]
      #expect(try PayloadFields(decoding: fields.encoded.span.bytes) == fields, "\(count)")
    }
  }

  @Test func valuesOfEachType_put_areWhatTheTreeOfThemIs() {
    let put = PayloadWriter.bytes { writer in
      writer.putNull(1)
      writer.put(2, false)
      writer.put(3, true)
      writer.put(4, -1)
      writer.put(5, Int64.max)
      writer.put(6, -0.5)
      writer.put(7, "né")
      writer.put(15, [0, 0xFF] as [UInt8])
      writer.putFields(16) { inner in
        inner.put(1, "")
        inner.putFields(9) { _ in }
      }
      writer.putList(PayloadFormat.fieldNumberLimit) { items in
        items.appendNull()
        items.append(64)
        items.appendList { $0.append(true) }
      }
    }
    #expect(put == PayloadFields.everyType.encoded)
  }

  @Test func itemsOfEachType_appended_areWhatTheListOfThemIs() {
    let appended = PayloadWriter.bytes { writer in
      writer.putList(1) { items in
        items.appendNull()
        items.append(true)
        items.append(-1)
        items.append(Int64.min)
        items.append(0.5)
        items.append("né")
        items.append([1, 2] as [UInt8])
        items.appendFields { $0.put(3, false) }
        items.appendList { _ in }
      }
    }
    let list: [PayloadValue] = [
      .null, .boolean(true), .integer(-1), .integer(.min), .double(0.5), .text("né"),
      .bytes([1, 2]), .fields([3: .boolean(false)]), .list([]),
    ]
    #expect(appended == ([1: .list(list)] as PayloadFields).encoded)
  }

  @Test func borrowedBytes_written_areBytes() {
    let bytes: [UInt8] = [0, 0xFF, 7]
    let written = PayloadWriter.bytes { writer in
      writer.put(1, bytes.span.bytes)
      writer.putList(2) { $0.append(bytes.span.bytes) }
    }
    let fields: PayloadFields = [1: .bytes(bytes), 2: .list([.bytes(bytes)])]
    #expect(written == fields.encoded)
  }
}

/// An older program that knows fields 2 and 4 of an event must pass on all others unchanged.
@Suite struct UnknownFieldTests {
  @Test func unknownFields_passedThrough_surviveToTheByte() throws {
    for seed in 0..<500 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let fields = PayloadFields.random(depth: 3, using: &generator)
      let bytes = fields.encoded
      #expect(try rewrite(bytes, changing: 0, to: 0) == bytes, "seed \(seed)")
    }
  }

  @Test func knownField_changed_leavesTheUnknownOnesAsTheyWere() throws {
    var fields = PayloadFields.everyType
    let bytes = try rewrite(fields.encoded, changing: 4, to: 1_000_000)
    fields[4] = .integer(1_000_000)
    #expect(bytes == fields.encoded)
  }

  @Test func unknownItems_passedThrough_surviveToTheByte() throws {
    let bytes = ([1: .list(PayloadFields.everyType.map(\.value))] as PayloadFields).encoded
    var reader = PayloadReader(bytes.span.bytes)
    guard let field = try reader.next() else { throw Absent() }
    var copy: [UInt8] = []
    try PayloadWriter.write(into: &copy) { writer in
      try writer.putList(1) { list in
        var items = try field.items
        while let item = try items.next() { list.append(item) }
      }
    }
    #expect(copy == bytes)
  }

  private func rewrite(
    _ bytes: [UInt8], changing number: Int, to value: Int64
  ) throws -> [UInt8] {
    try PayloadWriter.bytes { writer in
      var reader = PayloadReader(bytes.span.bytes)
      while let field = try reader.next() {
        field.number == number ? writer.put(number, value) : writer.put(field)
      }
    }
  }
}
