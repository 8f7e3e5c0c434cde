import EventStore

/// Fast path for people with only an address and possibly a name, which creates no strings.
extension FactColumn {
  /// Writes a short list of people if each has only these parts; returns whether it did.
  static func writePlain(
    _ field: borrowing PayloadReader.Field, into row: inout MutableRow, _ target: Field<String>
  ) -> Bool {
    row.set(target) { (try? append(field, to: &$0)) == true }
  }

  private static func append(
    _ field: borrowing PayloadReader.Field, to kept: inout ComposedText
  ) throws(PayloadError) -> Bool {
    var (items, count) = (try field.items, 0)
    while let item = try items.next() {
      count += 1
      var (parts, last) = (try item.fields, 0)
      while let part = try parts.next() {
        guard part.number <= 2 else { return false }
        if part.number == 2, last == 0 { kept.bytes.append(UInt8(ascii: "-")) }
        last = part.number
        guard !part.isNull else { return false }
        kept.bytes.append(counted: try part.utf8)
      }
      guard last == 2, count <= peopleMax, kept.count <= peopleBytesMax else { return false }
    }
    return true
  }
}

extension [UInt8] {
  /// Appends a text in the format of stored people.
  fileprivate mutating func append(counted text: RawSpan) {
    let count = UInt64(text.byteCount)
    guard count < 100 else {
      append(decimal: UInt32(count))
      return append(0x3A, 1, payload: text)
    }
    // Most counts have one or two digits, which are written with the text.
    let (tens, rest) = (0x30 + count / 10, 0x3A00 | (0x30 + count % 10))
    count < 10 ? append(rest, 2, payload: text) : append(tens | rest << 8, 3, payload: text)
  }
}

extension PlainTexts {
  /// Inserts the normalized addresses of people if they are plain; returns whether they are.
  ///
  /// - Parameter bytes: The people; their addresses are lowercased in place.
  mutating func insert(addressesIn bytes: inout [UInt8]) -> Bool {
    var (offset, isName) = (0, true)
    while offset < bytes.count {
      if isName, bytes[offset] == UInt8(ascii: "-") {
        offset += 1
      } else {
        guard let range = bytes.counted(at: offset) else { return false }
        offset = range.upperBound
        guard isName || insert(small: range, of: &bytes) else { return false }
      }
      isName.toggle()
    }
    return isName
  }
}

extension [UInt8] {
  /// Returns the range of the text whose length is at an offset; `nil` if the bytes are malformed.
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

extension [Participant] {
  /// Reads a list of people.
  init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    self = try [ObjectPerson](reading: field).map {
      Participant(name: $0.name, email: $0.email ?? "")
    }
  }
}
