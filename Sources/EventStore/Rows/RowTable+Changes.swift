import LMDB

extension RowTable {
  /// Creates a row with an external id under the next number, and lends it for changes.
  ///
  /// - Complexity: O(1), amortized.
  /// - Precondition: An event is under way.
  /// - Throws: As ``create(_:)``, with nothing created, and as ``edit(_:_:)``.
  @discardableResult
  package mutating func create(
    _ id: RawSpan, _ body: (inout MutableRow) -> Void
  ) throws(RowError) -> RowID {
    let row = try create(id)
    try edit(row, body)
    return row
  }

  /// Creates a row without values under the next number.
  ///
  /// - Complexity: O(1), amortized.
  /// - Precondition: An event is under way.
  /// - Throws: ``RowError/idLength(bytes:limit:)``, with nothing created.
  @discardableResult
  package mutating func create(_ id: RawSpan) throws(RowError) -> RowID {
    guard 1...RowFormat.idBytesMax ~= id.byteCount else {
      throw .idLength(bytes: id.byteCount, limit: RowFormat.idBytesMax)
    }
    append { RowFormat.append(id, $1, to: &$0.arena) }
    return RowID(rawValue: totals.lastID)
  }

  /// Creates a row under the next number from one in the arena of a layer elsewhere.
  ///
  /// The row stays where it is until it is changed, and the whole arena as long as the frame. If
  /// the other layer changes its arena meanwhile, it changes a copy.
  ///
  /// - Complexity: O(1), amortized.
  /// - Precondition: An event is under way, and the row is one of the same collection.
  package mutating func create(sharing place: UInt32, of layer: RowLayer) -> RowID {
    let isFit = layer.row(at: place).fieldCount == shape.fieldCount
    precondition(isFit, "not a row of \(collection.name)")
    let touch = takeNumber()
    let place = dirty.share(place, of: layer)
    dirty.setTouch(touch, at: place)
    dirty.setPlace(place, of: totals.lastID)
    return RowID(rawValue: totals.lastID)
  }

  /// Appends a row under the next number.
  @inline(__always)
  private mutating func append(_ body: (inout RowLayer, _ fieldCount: Int) -> Void) {
    let touch = takeNumber()
    let place = dirty.beginRow()
    body(&dirty, shape.fieldCount)
    self.place(totals.lastID, at: place, touch)
  }

  /// Gives the next number to a row being created; returns the touch to store in its head.
  @inline(__always)
  private mutating func takeNumber() -> (touch: UInt32, batch: UInt32) {
    requireEvent()
    precondition(totals.lastID < .max - 1, "\(collection.name) has given all its numbers")
    totals.lastID += 1
    return note(totals.lastID)
  }

  /// Lends a row for changes if it is present; returns whether it is.
  ///
  /// - Complexity: O(1), amortized, for a row changed in this frame; O(log n) for others.
  /// - Precondition: An event is under way.
  /// - Throws: ``RowError/tooLarge(bytes:limit:)`` if a value was too large and was left out: roll
  ///   the event back. ``RowError/storage(_:)``.
  @discardableResult
  package mutating func edit(
    _ id: RowID, _ body: (inout MutableRow) -> Void
  ) throws(RowError) -> Bool {
    guard let place = try own(id.rawValue), dirty.row(at: place).isPresent else { return false }
    try change(id.rawValue, place, body)
    return true
  }

  /// Deletes a row but keeps its id and number; returns whether it was present.
  ///
  /// - Precondition: An event is under way.
  /// - Throws: ``RowError/storage(_:)``.
  @discardableResult
  package mutating func delete(_ id: RowID) throws(RowError) -> Bool {
    guard let place = try own(id.rawValue), dirty.row(at: place).isPresent else { return false }
    replace(id.rawValue, place, flags: RowFormat.Flag.absent)
    return true
  }

  /// Makes a deleted row or an alias a present row again, without any values; returns whether it
  /// was absent.
  ///
  /// - Precondition: An event is under way.
  /// - Throws: ``RowError/storage(_:)``.
  @discardableResult
  package mutating func revive(_ id: RowID) throws(RowError) -> Bool {
    guard let place = try own(id.rawValue), !dirty.row(at: place).isPresent else { return false }
    replace(id.rawValue, place, fieldCount: shape.fieldCount)
    return true
  }

  /// Turns a row into an alias of another; returns whether the row exists.
  ///
  /// - Precondition: An event is under way.
  /// - Throws: ``RowError/storage(_:)``.
  @discardableResult
  package mutating func redirect(_ id: RowID, to other: RowID) throws(RowError) -> Bool {
    guard let place = try own(id.rawValue) else { return false }
    let target = UInt64(other.rawValue)
    replace(id.rawValue, place, flags: RowFormat.Flag.alias, fieldCount: 1, slot: target)
    return true
  }

  /// Notes a row being created; returns the touch to store in its head.
  private mutating func note(_ id: UInt32) -> (touch: UInt32, batch: UInt32) {
    if let touch = notes.addToCrowd(id) { return touch }
    notes.add(id)
    return notes.last
  }

  private func requireEvent() {
    precondition(notes.isInEvent, "rows of \(collection.name) change in events alone")
  }

  /// Returns the place of a row in the arena of this frame's layer, after noting its state and
  /// bringing it there; `nil` if the number was never assigned.
  private mutating func own(_ id: UInt32) throws(RowError) -> UInt32? {
    requireEvent()
    guard let place = dirty.place(of: id) else { return try adopt(id) }
    if !notes.isTouched(dirty.head(at: place)) {
      notes.add(id, at: place, of: dirty)
      dirty.setTouch(notes.last, at: place)
    }
    return dirty.moveToArena(id, at: place)
  }

  /// Copies a row from a lower layer.
  private mutating func adopt(_ id: UInt32) throws(RowError) -> UInt32? {
    let end = dirty.arena.count
    let place = dirty.beginRow()
    guard try appendLowerRow(id) else {
      dirty.truncate(to: end)
      return nil
    }
    if sweepsBefore > 0 { learnOfEventsBefore(id, at: place) }
    if let touch = notes.addToCrowd(id) {
      self.place(id, at: place, touch)
    } else {
      notes.add(id, copyingLastRowOf: dirty, from: place)
      self.place(id, at: place, notes.last)
    }
    if isSweptByEvent { learnOfEvent(at: place) }
    return place
  }

  /// Appends a row of a lower layer to this frame's; returns whether it exists.
  private mutating func appendLowerRow(_ id: UInt32) throws(RowError) -> Bool {
    if let place = frozen.place(of: id) {
      dirty.appendRow(at: place, of: frozen)
      return true
    }
    guard id <= totals.lastID, let base else { return false }
    return try base.read(id) { row in
      guard let row else { return false }
      dirty.appendRow(row)
      return true
    }
  }

  /// Completes a row at the end of the arena that has been noted.
  private mutating func place(
    _ id: UInt32, at place: UInt32, _ touch: (touch: UInt32, batch: UInt32)
  ) {
    dirty.endRow(at: place)
    dirty.setTouch(touch, at: place)
    dirty.setPlace(place, of: id)
  }

  /// Lends a row that has been noted.
  private mutating func change(
    _ id: UInt32, _ place: UInt32, _ body: (inout MutableRow) -> Void
  ) throws(RowError) {
    var row = dirty.lendRow(at: place, shape)
    row.fill(body)
    let refused = row.refused
    dirty.takeBack(row, id, from: place)
    if let refused { throw .tooLarge(bytes: refused, limit: RowFormat.byteCountMax) }
  }

  /// Replaces everything but the id of a row that has been noted.
  private mutating func replace(
    _ id: UInt32, _ place: UInt32, flags: UInt8 = 0, fieldCount: Int = 0, slot: UInt64 = 0
  ) {
    var bytes: [UInt8] = []
    RowFormat.append(dirty.row(at: place).id, fieldCount, flags: flags, to: &bytes)
    if slot != 0 { bytes.store(integer: slot, at: RowFormat.Offset.slots) }
    if dirty.overwrite(place, bytes.raw) { return }
    // Keep its touch, as other rows may have been noted since.
    let head = dirty.head(at: place)
    let larger = dirty.beginRow()
    dirty.arena.append(copying: bytes.raw)
    self.place(id, at: larger, (head.touch, head.batch))
  }
}
