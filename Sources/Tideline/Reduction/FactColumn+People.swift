import EventStore

/// People whose names and addresses are plain, as most are: no text is made of any of them.
extension FactColumn {
  /// Writes a list of people, if all that is said of them is plain; says whether it did.
  static func writePlain(
    _ field: borrowing PayloadReader.Field, into row: inout MutableRow, _ target: Field<String>
  ) -> Bool {
    var kept: [UInt8] = []
    guard (try? append(field, to: &kept)) == true else { return false }
    return row.set(target, plain: kept.payloadBytes)
  }

  private static func append(
    _ field: borrowing PayloadReader.Field, to kept: inout [UInt8]
  ) throws(PayloadError) -> Bool {
    var (items, count) = (try field.items, 0)
    while let item = try items.next() {
      count += 1
      var (parts, last) = (try item.fields, 0)
      while let part = try parts.next() {
        guard count <= peopleMax, part.number <= 2 else { return false }
        if part.number == 2, last == 0 { kept.append(UInt8(ascii: "-")) }
        last = part.number
        guard !part.isNull, kept.append(counted: try part.utf8) else { return false }
      }
      guard last == 2 else { return false }
    }
    return true
  }
}

extension [UInt8] {
  /// Appends a text as lists of people hold it, if it is plain; says whether it is.
  fileprivate mutating func append(counted text: RawSpan) -> Bool {
    guard text.isASCII else { return false }
    append(contentsOf: String(text.byteCount).utf8)
    append(UInt8(ascii: ":"))
    append(payload: text)
    return true
  }
}

extension PlainTexts {
  /// Puts in the addresses of people, as they are compared, if all is plain that is kept of them;
  /// says whether it is.
  mutating func insert(addressesIn kept: String) -> Bool {
    var bytes = Array(kept.utf8)
    guard bytes.payloadBytes.isASCII else { return false }
    var (offset, isName) = (0, true)
    while offset < bytes.count {
      if isName, bytes[offset] == UInt8(ascii: "-") {
        offset += 1
      } else {
        guard let range = bytes.counted(at: offset) else { return false }
        offset = range.upperBound
        if !isName { insert(small: range, of: &bytes) }
      }
      isName.toggle()
    }
    return isName
  }

  private mutating func insert(small range: Range<Int>, of bytes: inout [UInt8]) {
    for index in range where 0x41...0x5A ~= bytes[index] { bytes[index] |= 0x20 }
    _ = insert(bytes.payloadBytes.extracting(range))
  }
}

extension [UInt8] {
  /// Where the text is whose count is at an offset; `nil` where the bytes are not as they should
  /// be.
  fileprivate func counted(at offset: Int) -> Range<Int>? {
    var (place, length) = (offset, 0)
    while place < count, 0x30...0x39 ~= self[place], length <= count {
      length = length * 10 + Int(self[place] - 0x30)
      place += 1
    }
    guard place > offset, place < count, self[place] == UInt8(ascii: ":"),
      length < count - place
    else { return nil }
    return (place + 1)..<(place + 1 + length)
  }
}
