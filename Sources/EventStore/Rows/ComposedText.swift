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
  /// Composes the bytes of an absent field in place; returns whether `body` did, or `nil` with
  /// nothing done.
  ///
  /// The row must be the last of its arena, and the bytes must fit. A field of several texts stays
  /// absent if there are none.
  mutating func compose(
    _ field: Int, _ kind: FieldKind, _ body: (inout ComposedText) -> Bool
  ) -> Bool? {
    require(field, kind)
    guard !view.has(field), start + room == arena.count else { return nil }
    if count < room { arena.removeLast(room - count) }
    let (isDone, added) = append(body)
    if isDone == true, kind == .text || added > 0 { place(added, as: field) }
    // An event that is rolled back finds the room that the row had.
    if count < room { arena.extend(by: room - count) }
    room = max(room, count)
    return isDone
  }

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

  /// Sets an absent field of texts if the row is the last of its arena, has no room left, and may
  /// get so large; returns whether it did.
  mutating func append(_ bytes: RawSpan, as field: Int) -> Bool {
    guard !view.has(field), start + room == arena.count, count == room,
      count + bytes.byteCount <= RowFormat.byteCountMax
    else { return false }
    arena.append(copying: bytes)
    place(bytes.byteCount, as: field)
    room = count
    return true
  }

  /// Sets an absent field to the last bytes of the arena, which follow the row.
  private mutating func place(_ added: Int, as field: Int) {
    let place = absentRange(field).lowerBound
    if place < count, added > 0 { moveLast(added, to: place) }
    count += added
    setWord(field, UInt64(place) | UInt64(added) << 32)
    if added > 0 { moveVariables(after: field, by: UInt64(added)) }
  }

  /// Moves the last bytes of the arena, which follow the row, to a place in the row.
  private mutating func moveLast(_ added: Int, to place: Int) {
    let (tail, end) = (start + place, start + count)
    guard count - place == 8 || count - place == 16 else {
      arena.appendCopy(of: tail..<end)
      arena.copy(end..<arena.count, to: tail)
      return arena.removeLast(count - place)
    }
    // Most often the places of one or two references; two words hold them meanwhile.
    let first = arena.raw.integer(UInt64.self, at: tail)
    let last = arena.raw.integer(UInt64.self, at: end - 8)
    arena.copy(end..<(end + added), to: tail)
    arena.store(integer: first, at: tail + added)
    arena.store(integer: last, at: end - 8 + added)
  }

  /// Appends a text to the arena; returns whether `body` did, or `nil` if it doesn't fit, and its
  /// size.
  private mutating func append(
    _ body: (inout ComposedText) -> Bool
  ) -> (isDone: Bool?, added: Int) {
    var buffer: [UInt8] = []
    swap(&buffer, &arena)
    var text = ComposedText(in: consume buffer)
    let isComposed = body(&text)
    let isDone = count + text.count <= RowFormat.byteCountMax ? isComposed : nil
    if isDone != true { text.removeAll() }
    let added = text.count
    swap(&arena, &text.bytes)
    return (isDone, added)
  }
}
