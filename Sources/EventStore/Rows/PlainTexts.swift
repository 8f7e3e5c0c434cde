import LMDB

/// Several texts in the bytes that a row holds of them, changed without making a text of each.
///
/// What is put in is plain: of ASCII characters only, so that equal texts have equal bytes.
package struct PlainTexts {
  /// Of each text, in ascending order of their bytes, a count of two bytes and the text.
  fileprivate var bytes: [UInt8]
  /// How many texts there are.
  package private(set) var count: Int

  /// No texts.
  package init() { (bytes, count) = ([], 0) }

  fileprivate init(_ bytes: RawSpan) {
    self.bytes = bytes.array
    count = 0
    var list = TextList(bytes)
    while list.next() != nil { count += 1 }
  }

  /// Puts in a text that is plain, unless it is there; says whether it is plain.
  ///
  /// - Complexity: O(bytes of all)
  package mutating func insert(_ utf8: RawSpan) -> Bool {
    guard utf8.isASCII else { return false }
    let (offset, isThere) = place(of: utf8)
    if isThere { return true }
    let (end, room) = (bytes.count, 2 + utf8.byteCount)
    bytes.extend(by: room)
    bytes.copy(offset..<end, to: offset + room)
    bytes.store(integer: UInt16(truncatingIfNeeded: utf8.byteCount), at: offset)
    bytes.store(copying: utf8, at: offset + 2)
    count += 1
    return true
  }

  /// Puts in a text, as its namesake does with bytes.
  @discardableResult
  package mutating func insert(_ text: String) -> Bool { text.withBytes { insert($0) } }

  /// Takes a text out, if it is there; says whether it is plain.
  ///
  /// - Complexity: O(bytes of all)
  @discardableResult
  package mutating func remove(_ text: String) -> Bool { text.withBytes { remove($0) } }

  private mutating func remove(_ utf8: RawSpan) -> Bool {
    guard utf8.isASCII else { return false }
    let (offset, isThere) = place(of: utf8)
    guard isThere else { return true }
    bytes.removeSubrange(offset..<(offset + 2 + utf8.byteCount))
    count -= 1
    return true
  }

  /// Where a text is, or would be.
  private func place(of utf8: RawSpan) -> (offset: Int, isThere: Bool) {
    var (list, offset) = (TextList(bytes.raw), 0)
    while let text = list.next() {
      let order = text.compareBytes(with: utf8)
      if order >= 0 { return (offset, order == 0) }
      offset += 2 + text.byteCount
    }
    return (offset, false)
  }
}

extension MutableRow {
  /// The texts of a field.
  package func texts(_ field: Field<Set<String>>) -> PlainTexts {
    view.has(field.index) ? PlainTexts(view.variable(field.index)) : PlainTexts()
  }

  /// Sets the texts of a field, which has no value where there are none.
  package mutating func set(_ field: Field<Set<String>>, _ texts: PlainTexts) {
    guard texts.count > 0 else { return clear(field.index, .texts) }
    set(field.index, .texts, StoredValue(bytes: texts.bytes.raw))
  }

  /// Whether a text is among those of a field, by its bytes.
  package func has(_ text: String, in field: Field<Set<String>>) -> Bool {
    view.has(text, in: field)
  }

  /// Sets a field to a text that is plain; says whether it is, and leaves it otherwise.
  package mutating func set(_ field: Field<String>, plain utf8: RawSpan) -> Bool {
    guard utf8.isASCII else { return false }
    set(field.index, .text, StoredValue(bytes: utf8))
    return true
  }

  /// Sets a field to the small letters of another that is plain, or to an empty text where that has
  /// no value; says whether it is plain, and leaves it otherwise.
  package mutating func set(
    _ field: Field<String>, toSmallLettersOf source: Field<String>
  ) -> Bool {
    guard view.has(source.index) else {
      set(field.index, .text, StoredValue(bytes: RawSpan()))
      return true
    }
    guard view.variable(source.index).isASCII else { return false }
    var letters = view.variable(source.index).array
    for index in letters.indices { letters[index] = letters[index].small }
    set(field.index, .text, StoredValue(bytes: letters.raw))
    return true
  }
}

extension RowView {
  /// Whether a text is among those of a field, by its bytes.
  func has(_ text: String, in field: Field<Set<String>>) -> Bool {
    guard isPresent, has(field.index) else { return false }
    var list = TextList(variable(field.index))
    return text.withBytes { bytes in
      while let other = list.next() { if other.equals(bytes) { return true } }
      return false
    }
  }
}
