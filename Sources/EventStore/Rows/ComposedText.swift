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

  /// Removes the text, and leaves what was before it.
  mutating func removeAll() { bytes.removeLast(count) }
}

extension MutableRow {
  /// Composes the text of a field in place if nothing has to be moved for it except the place of a
  /// reference; returns whether the field was set, or `nil` with nothing done.
  ///
  /// The row must be the last of its arena, the field and all later texts absent, and the text must
  /// fit.
  mutating func compose(_ field: Int, _ body: (inout ComposedText) -> Bool) -> Bool? {
    require(field, .text)
    guard start + room == arena.count, let place = endOfTexts(before: field) else { return nil }
    let hasReference = place < count
    let reference = hasReference ? view.bytes.integer(UInt64.self, at: place) : 0
    arena.removeLast(room - place)
    let (isDone, added) = append(body)
    if hasReference { arena.append(littleEndian: reference) }
    count += added
    // An event that is rolled back finds the room that the row had.
    if count < room { arena.extend(by: room - count) }
    room = max(room, count)
    if isDone == true { setWord(field, UInt64(place) | UInt64(added) << 32) }
    return isDone
  }

  /// Returns the end of all texts if a field and all later texts are absent, and at most one
  /// reference is present.
  private func endOfTexts(before field: Int) -> Int? {
    guard shape.variables & view.presence & UInt64.max << UInt64(field) == 0 else { return nil }
    let end = absentRange(field).lowerBound
    return count - end <= 8 ? end : nil
  }

  /// Appends a text to the arena; returns whether it is valid, or `nil` if it doesn't fit, and its
  /// size.
  private mutating func append(
    _ body: (inout ComposedText) -> Bool
  ) -> (isDone: Bool?, added: Int) {
    var buffer: [UInt8] = []
    swap(&buffer, &arena)
    var text = ComposedText(in: consume buffer)
    let isValid = body(&text) && (text.utf8.isASCII || text.utf8.isUTF8)
    let isDone = count + text.count <= RowFormat.byteCountMax ? isValid : nil
    if isDone != true { text.removeAll() }
    let added = text.count
    swap(&arena, &text.bytes)
    return (isDone, added)
  }
}
