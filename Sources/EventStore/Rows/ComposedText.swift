import LMDB

/// A text being composed at the end of a buffer.
package struct ComposedText {
  /// The buffer, to be appended to.
  package var bytes: [UInt8]
  private let start: Int

  /// Begins a text at the end of a buffer.
  init(in buffer: consuming [UInt8] = []) {
    start = buffer.count
    bytes = buffer
  }

  /// The size of the text in bytes.
  package var count: Int { bytes.count - start }

  /// The text.
  var utf8: RawSpan {
    @_lifetime(borrow self) get { bytes.raw.extracting(droppingFirst: start) }
  }

  /// Whether the text is UTF-8.
  var isValid: Bool { utf8.isASCII || utf8.isUTF8 }

  /// Removes the text, and leaves what was before it.
  mutating func removeAll() { bytes.removeLast(count) }

  /// Inserts a text of several, with its two-byte count, at an offset.
  mutating func insert(counted utf8: RawSpan, at offset: Int) {
    let (place, end, size) = (start + offset, bytes.count, UInt64(utf8.byteCount))
    bytes.append(size, 2, copying: utf8)
    guard place < end else { return }
    bytes.copy(place..<end, to: place + 2 + utf8.byteCount)
    bytes.store(integer: UInt16(truncatingIfNeeded: size), at: place)
    bytes.store(copying: utf8, at: place + 2)
  }

  /// Removes a part of the text.
  mutating func remove(_ range: Range<Int>) {
    bytes.removeSubrange((start + range.lowerBound)..<(start + range.upperBound))
  }

  /// Appends small letters in place of the capital ones of plain bytes of the buffer.
  mutating func appendSmallLetters(of range: Range<Int>) {
    let end = bytes.count
    bytes.appendCopy(of: range)
    bytes.makeSmall(end..<bytes.count)
  }
}

extension MutableRow {
  /// Sets a field to the bytes that `body` composes, in place or in a buffer, or clears a field of
  /// several texts if there are none; returns the result of `body`.
  ///
  /// If that is `false`, nothing changes. If the row gets too large, `body` is called twice.
  mutating func setComposed(
    _ field: Int, _ kind: FieldKind, _ body: (inout ComposedText) -> Bool
  ) -> Bool {
    if let isDone = compose(field, kind, body) { return isDone }
    var text = ComposedText(in: spares.take())
    let isDone = body(&text)
    if isDone, kind == .text || text.count > 0 {
      set(field, kind, StoredValue(bytes: text.utf8))
    } else if isDone {
      clear(field, kind)
    }
    spares.keep(&text.bytes)
    return isDone
  }
}
