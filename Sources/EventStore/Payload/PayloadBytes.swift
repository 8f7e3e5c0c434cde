import LMDB

extension Int64 {
  /// Decodes an integer from its zigzag code: 0, -1, 1, -2, and so on.
  init(zigzag code: UInt64) {
    self = Int64(bitPattern: code >> 1) ^ -Int64(code & 1)
  }

  /// The zigzag code, which is small if the integer is near zero, whatever its sign.
  var zigzag: UInt64 { UInt64(bitPattern: (self << 1) ^ (self >> 63)) }
}

extension PayloadCode {
  /// Returns the tag before a value of this kind.
  @inline(__always)
  fileprivate func tag(_ number: Int) -> UInt64 {
    UInt64(number) << Self.width | UInt64(rawValue)
  }
}

extension UInt64 {
  /// The bound below which an integer is encoded in at most three bytes.
  fileprivate static let shortVarintLimit: UInt64 = 1 << 21

  /// The encoding of a short integer, and its number of bytes.
  @inline(__always)
  fileprivate var shortVarint: (bytes: UInt64, count: Int) {
    if self < 0x80 { return (self, 1) }
    let low = self & 0x7F | 0x80
    if self < 1 << 14 { return (low | (self >> 7) << 8, 2) }
    return (low | (self >> 7 & 0x7F | 0x80) << 8 | (self >> 14) << 16, 3)
  }
}

/// The encoding of each kind of value, as a numbered field or, with number zero, as an item.
extension [UInt8] {
  @inline(__always)
  mutating func append(varint value: UInt64) {
    value < 0x80 ? append(UInt8(truncatingIfNeeded: value)) : append(longVarint: value)
  }

  private mutating func append(longVarint value: UInt64) {
    var (bytes, count, rest): (UInt64, UInt64, UInt64) = (0, 0, value)
    while rest >= 0x80 {
      if count == 7 {
        append(bytes, 7, copying: RawSpan())
        (bytes, count) = (0, 0)
      }
      bytes |= (rest & 0x7F | 0x80) &<< (8 &* count)
      (count, rest) = (count &+ 1, rest &>> 7)
    }
    append(bytes | rest &<< (8 &* count), Int(count) + 1, copying: RawSpan())
  }

  mutating func append(tag number: Int, _ code: PayloadCode) {
    append(varint: code.tag(number))
  }

  mutating func append(_ value: Int64, as number: Int) {
    append(tag: number, .integer)
    append(varint: value.zigzag)
  }

  mutating func append(_ value: Bool, as number: Int) {
    append(tag: number, value ? .yes : .no)
  }

  mutating func append(_ value: Double, as number: Int) {
    append(tag: number, .double)
    append(eightBytes: value.bitPattern)
  }

  mutating func append(_ value: String, as number: Int) {
    append(tag: number, .text)
    append(varint: UInt64(value.utf8.count))
    append(contentsOf: value.utf8)
  }

  mutating func append(_ value: [UInt8], as number: Int) {
    append(tag: number, .bytes)
    append(varint: UInt64(value.count))
    append(contentsOf: value)
  }

  mutating func append(_ value: RawSpan, as number: Int, _ code: PayloadCode) {
    let (tag, length) = (code.tag(number), UInt64(value.byteCount))
    guard tag | length < UInt64.shortVarintLimit else {
      append(varint: tag)
      append(varint: length)
      return append(copying: value)
    }
    let (head, rest) = (tag.shortVarint, length.shortVarint)
    append(
      head.bytes | rest.bytes << UInt64(8 * head.count), head.count + rest.count, copying: value)
  }

  mutating func append(_ field: borrowing PayloadReader.Field, as number: Int) {
    switch field.code {
    case .null, .no, .yes: append(tag: number, field.code)
    case .integer:
      append(tag: number, .integer)
      append(varint: field.bits)
    case .double:
      append(tag: number, .double)
      append(eightBytes: field.bits)
    case .text, .bytes, .fields, .list: append(field.content, as: number, field.code)
    }
  }

  /// Replaces the byte at `start`, reserved for a length, with the length of what follows it.
  mutating func fillLength(at start: Int) {
    let length = count - start - 1
    guard length >= 0x80 else { return self[start] = UInt8(length) }
    let more = (Int.bitWidth - length.leadingZeroBitCount + 6) / 7 - 1
    append(contentsOf: repeatElement(0, count: more))
    copy((start + 1)..<(start + 1 + length), to: start + 1 + more)
    for place in 0..<more {
      self[start + place] = UInt8(truncatingIfNeeded: length >> (7 * place)) | 0x80
    }
    self[start + more] = UInt8(length >> (7 * more))
  }

  private mutating func append(eightBytes value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }
}
