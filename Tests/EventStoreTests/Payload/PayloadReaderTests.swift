import EventStore
import Testing

@Suite struct PayloadReaderTests {
  @Test func everyType_read_lendsEachValueInItsOrder() throws {
    let bytes = PayloadFields.everyType.encoded
    var reader = PayloadReader(bytes.span.bytes)
    var seen: [String] = []
    while let field = try reader.next() { seen.append("\(field.number) \(try text(of: field))") }
    #expect(
      seen == [
        "1 null", "2 false", "3 true", "4 -1", "5 9223372036854775807", "6 -0.5", "7 né 3",
        "15 [0, 255] 2", "16 fields", "268435456 list",
      ])
  }

  private func text(of field: borrowing PayloadReader.Field) throws -> String {
    switch field.type {
    case .null: "null"
    case .boolean: "\(try field.boolean)"
    case .integer: "\(try field.integer)"
    case .double: "\(try field.double)"
    case .text: "\(try field.text) \(try field.utf8.byteCount)"
    case .bytes: "\(try field.byteArray) \(try field.bytes.byteCount)"
    case .fields: "fields"
    case .list: "list"
    }
  }

  @Test func fieldsWithinAList_read_areReachedWithoutACopy() throws {
    let fields: PayloadFields = [2: .list([.null, .fields([5: .integer(9)])])]
    let bytes = fields.encoded
    var reader = PayloadReader(bytes.span.bytes)
    guard let field = try reader.next() else { throw Absent() }
    var items = try field.items
    _ = try items.next()
    guard let item = try items.next() else { throw Absent() }
    var inner = try item.fields
    guard let value = try inner.next() else { throw Absent() }
    #expect((value.number, try value.integer) == (5, 9))
    #expect(try inner.next() == nil && items.next() == nil && reader.next() == nil)
  }

  @Test func value_askedForAsWhatItIsNot_throwsAtItsOffset() {
    let bytes: [UInt8] = [0x10, 0x25, 1, 0x41]
    let error = PayloadError(.typeMismatch(.text, expected: .integer), at: 3)
    #expect(throws: error) {
      var reader = PayloadReader(bytes.span.bytes)
      _ = try reader.next()
      _ = try reader.next()?.integer
    }
  }

  /// Malformed bytes, the reason why they are malformed, and the offset of the error.
  private static let malformed: [([UInt8], PayloadError.Reason, Int)] = [
    ([0x13], .truncated, 1),
    ([0x13, 0x80], .truncated, 2),
    ([0x80], .truncated, 1),
    ([0x14, 1, 2, 3, 4, 5, 6, 7], .truncated, 8),
    ([0x15, 2, 0x41], .lengthBeyondEnd(2), 1),
    ([0x16] + [UInt8](repeating: 0xFF, count: 9) + [1], .lengthBeyondEnd(.max), 1),
    ([0x13] + [UInt8](repeating: 0xFF, count: 9) + [2], .varintTooLong, 1),
    ([0x13] + [UInt8](repeating: 0x80, count: 10) + [0], .varintTooLong, 1),
    ([0x13, 0x80, 0x00], .varintNotMinimal, 1),
    ([0x90, 0x00], .varintNotMinimal, 0),
    ([0x15, 0x80, 0x00], .varintNotMinimal, 1),
    ([0x00], .numberOutOfRange(0), 0),
    ([0x90, 0x80, 0x80, 0x80, 0x10], .numberOutOfRange(1 << 28 + 1), 0),
    ([0x20, 0x20], .numberNotAscending(2, after: 2), 1),
    ([0x20, 0x10], .numberNotAscending(1, after: 2), 1),
    ([0x19], .reservedType(9), 0),
    ([0x10, 0x2F], .reservedType(15), 1),
    ([0x15, 1, 0xFF], .invalidUTF8, 2),
    ([0x15, 3, 0xED, 0xA0, 0x80], .invalidUTF8, 2),
    // The replacement character is as long as the bytes that it replaces.
    ([0x15, 3, 0xF0, 0x9F, 0x90], .invalidUTF8, 2),
    ([0x17, 2, 0x10, 0x29], .reservedType(9), 3),
    ([0x17, 3, 0x15, 2, 0x41], .lengthBeyondEnd(2), 3),
    ([0x18, 2, 0x00, 0x10], .numberedItem(1), 3),
    ([0x18, 1, 0x0C], .reservedType(12), 2),
  ]

  @Test func malformedBytes_decoded_areNamedWithTheirOffset() {
    for (bytes, reason, offset) in Self.malformed {
      #expect(throws: PayloadError(reason, at: offset), "\(bytes)") {
        try PayloadFields(decoding: bytes.span.bytes)
      }
    }
  }

  @Test func everyError_described_saysWhereAndWhat() {
    #expect(
      PayloadError(.reservedType(9), at: 12).description
        == "Malformed payload at byte 12: the type 9 is reserved.")
    #expect(
      "\(PayloadError(.typeMismatch(.text, expected: .integer), at: 3))"
        == "Malformed payload at byte 3: expected integer, found text.")
  }

  @Test(arguments: [PayloadType.fields, .list])
  func nesting_atTheLimit_isReadAndBeyondItThrows(type: PayloadType) throws {
    var value = PayloadValue.null
    for _ in 0..<PayloadFormat.nestingLimit { value = nested(value, type) }
    var bytes = ([1: value] as PayloadFields).encoded
    #expect(try PayloadFields(decoding: bytes.span.bytes)[1] == value)

    bytes = framed(bytes, type)
    let error = #expect(throws: PayloadError.self) { try PayloadFields(decoding: bytes.span.bytes) }
    #expect(error?.reason == .nestedTooDeep)
  }

  private func nested(_ value: PayloadValue, _ type: PayloadType) -> PayloadValue {
    type == .list ? .list([value]) : .fields([1: value])
  }

  /// Returns the only field of `bytes` within one more field or list.
  private func framed(_ bytes: [UInt8], _ type: PayloadType) -> [UInt8] {
    let inner = type == .list ? [bytes[0] & 0xF] + bytes.dropFirst() : bytes
    let whole = PayloadWriter.bytes { $0.put(1, inner) }
    return [type == .list ? 0x18 : 0x17] + whole.dropFirst()
  }
}

/// A field that a test relies on is absent.
struct Absent: Error {}
