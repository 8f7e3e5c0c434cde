import LMDB

/// Rows whose texts stand in the order in which they are set until all are set, so that none is
/// moved for another.
extension MutableRow {
  /// Calls `body`, which sets values of the row.
  ///
  /// If the row has none and ends its arena, without spare room, its texts get their places once,
  /// at the end.
  ///
  /// - Complexity: As `body`, and O(*n*) in the bytes of such a row.
  package mutating func fill<E: Error>(_ body: (inout MutableRow) throws(E) -> Void) throws(E) {
    loosen()
    defer { settle() }
    try body(&self)
  }

  /// Makes a row loose: the places of all possible references come right after the id, and then
  /// texts in any order, possibly with gaps.
  private mutating func loosen() {
    guard !isLoose, view.isPresent, view.presence == 0, count == room,
      start + room == arena.count
    else { return }
    let places = 8 * shape.references.nonzeroBitCount
    arena.extend(by: places)
    isLoose = true
    grow(by: places)
  }

  /// Puts the texts and the places of references where they belong; does nothing unless the row is
  /// loose.
  mutating func settle() {
    guard isLoose else { return }
    let first = view.idRange.upperBound
    var loose = spares.take()
    loose.append(copying: view.bytes.extracting(droppingFirst: first))
    isLoose = false
    var end = first
    for field in FieldNumbers(shape.variables & view.presence) {
      let range = view.variableRange(field)
      let text = loose.raw.extracting(
        (range.lowerBound - first)..<(range.upperBound - first))
      arena.store(copying: text, at: start + end)
      setWord(field, UInt64(end) | UInt64(range.count) << 32)
      end += range.count
    }
    for (place, field) in FieldNumbers(shape.references).enumerated() where view.has(field) {
      arena.store(integer: loose.raw.integer(UInt64.self, at: 8 * place), at: start + end)
      end += 8
    }
    arena.removeLast(count - end)
    (count, room) = (end, end)
    spares.keep(&loose)
  }

  /// Returns the offset of a reference's place in a loose row.
  func loosePlaceOffset(_ field: Int) -> Int {
    let before = shape.references & ((1 << UInt64(field)) - 1)
    return view.idRange.upperBound + 8 * before.nonzeroBitCount
  }

  /// Sets a field of texts if the row is loose and the bytes fit; returns whether it did.
  mutating func append(_ bytes: RawSpan, as field: Int) -> Bool {
    guard isLoose, hasRoom(for: bytes.byteCount) else { return false }
    arena.append(copying: bytes)
    keepLast(bytes.byteCount, as: field)
    return true
  }

  /// Composes the bytes of a field of texts; returns whether `body` did, or `nil` with nothing done
  /// if the row is not loose or the bytes don't fit.
  ///
  /// A field of several texts is absent if there are none.
  mutating func compose(
    _ field: Int, _ kind: FieldKind, _ body: (inout ComposedText) -> Bool
  ) -> Bool? {
    require(field, kind)
    guard isLoose else { return nil }
    var buffer: [UInt8] = []
    swap(&buffer, &arena)
    var text = ComposedText(in: consume buffer)
    let isDone = body(&text)
    let fits = hasRoom(for: text.count)
    if !isDone || !fits { text.removeAll() }
    let added = text.count
    swap(&arena, &text.bytes)
    guard fits else { return nil }
    if isDone, kind == .text || added > 0 {
      keepLast(added, as: field)
    } else if isDone {
      clear(field, kind)
    }
    return isDone
  }

  private func hasRoom(for added: Int) -> Bool { count + added <= RowFormat.byteCountMax }

  /// Sets a field to the last bytes of the arena, which follow the row.
  private mutating func keepLast(_ added: Int, as field: Int) {
    setWord(field, UInt64(count) | UInt64(added) << 32)
    grow(by: added)
  }

  private mutating func grow(by added: Int) {
    count += added
    room = count
  }
}
