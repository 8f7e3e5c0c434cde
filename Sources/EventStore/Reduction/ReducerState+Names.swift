import LMDB

/// How rows are found by their ids, and made.
extension ReducerState {
  /// The row of an id, made where there is none; one that was deleted is back, without values.
  ///
  /// - Complexity: O(1), amortized, and a read where the row is not in memory.
  /// - Throws: ``Refusal`` where the id is empty or too long.
  /// - Precondition: The collection is one of the reducer's.
  public mutating func row(_ id: String, in collection: RowCollection) throws(Refusal) -> RowHandle
  {
    try id.withBytes { bytes throws(Refusal) in try row(bytes, in: collection) }
  }

  /// The row of an id that is given by its UTF-8, as its namesake finds or makes it.
  public mutating func row(_ id: RawSpan, in collection: RowCollection) throws(Refusal) -> RowHandle
  {
    try row(id, in: collection, nil).row
  }

  /// The row of an id that is given by its UTF-8, as its namesake finds or makes it; one that never
  /// was has the values that were sketched of it for a record.
  ///
  /// - Returns: The row, and whether it was made so.
  /// - Complexity: As that of its namesake, and O(*n*) in the bytes of what was sketched.
  public mutating func row(
    _ id: RawSpan, in collection: RowCollection, sketchedFor number: RecordNumber
  ) throws(Refusal) -> (row: RowHandle, isSketched: Bool) {
    additions += 1
    return try row(id, in: collection, sketch(of: id, in: collection, for: number))
  }

  private mutating func row(
    _ id: RawSpan, in collection: RowCollection, _ sketch: Sketch?
  ) throws(Refusal) -> (row: RowHandle, isSketched: Bool) {
    let place = place(of: collection)
    let hash = name(of: id, in: collection)
    guard let found = lookUp(id, hash, place) else {
      return (try make(id, hash, place, as: sketch), sketch != nil)
    }
    if !found.isPresent {
      do throws(RowError) {
        try touch(place).table.revive(found.handle.row)
      } catch {
        fail(error)
      }
    }
    return (found.handle, false)
  }

  /// The row of an id, or `nil` where there is none, or it was deleted.
  ///
  /// - Complexity: O(1), amortized, and a read where the row is not in memory.
  /// - Precondition: The collection is one of the reducer's.
  public mutating func find(_ id: String, in collection: RowCollection) -> RowHandle? {
    id.withBytes { find($0, in: collection) }
  }

  /// The row of an id that is given by its UTF-8, as its namesake finds it.
  public mutating func find(_ id: RawSpan, in collection: RowCollection) -> RowHandle? {
    let place = place(of: collection)
    // What never had a row has no names either.
    guard shelves[Int(place)].table.totals.lastID > 0 else { return nil }
    let hash = name(of: id, in: collection)
    guard let found = lookUp(id, hash, place), found.isPresent else { return nil }
    return found.handle
  }

  /// Lends the row of an id to be read; says which it is, or `nil` where there is none, or it was
  /// deleted.
  ///
  /// - Complexity: As that of ``find(_:in:)`` and ``lend(_:_:)``; one read where it is the same row
  ///   as the last time.
  /// - Precondition: The collection is one of the reducer's.
  package mutating func lend(
    _ id: String, in collection: RowCollection, _ body: (LentRow) -> Void
  ) -> RowHandle? {
    id.withBytes { lend($0, in: collection, body) }
  }

  private mutating func lend(
    _ id: RawSpan, in collection: RowCollection, _ body: (LentRow) -> Void
  ) -> RowHandle? {
    let hash = name(of: id, in: collection)
    if let last = recent.lent, last.hash == hash, lend(last.row, having: id, body) {
      return last.row
    }
    guard let row = find(id, in: collection) else { return nil }
    recent.noteLent(hash, row)
    lend(row, body)
    return row
  }

  /// Has an id find a row from now on, whatever it found before.
  ///
  /// A row of its own that it had, there or deleted, is gone, with its values, which are to be
  /// merged before; its other names go along. Where it was but another name of a row, that row
  /// stays as it is, there or deleted, with all its other names.
  ///
  /// - Complexity: As to find it.
  /// - Throws: ``Refusal`` where the id is empty or too long.
  /// - Precondition: The row is of a collection of the reducer's.
  public mutating func alias(_ id: String, to row: RowHandle) throws(Refusal) {
    try id.withBytes { id throws(Refusal) in try alias(id, to: row) }
  }

  private mutating func alias(_ id: RawSpan, to row: RowHandle) throws(Refusal) {
    let (place, shelf) = (row.collection, touch(row.collection))
    let hash = name(of: id, in: shelf.collection)
    let found: Found
    if let known = lookUp(id, hash, place) {
      found = known
    } else {
      found = Found(handle: try make(id, hash, place, as: nil), isPresent: true)
    }
    do {
      let target = try shelf.target(of: row)
      guard found.handle != target else { return }
      // Who watches the row by that name is found by the row.
      if found.name != found.handle { try shelf.table.edit(found.handle.row) { _ in } }
      try shelf.table.redirect(found.name.row, to: target.row)
    } catch {
      fail(error)
    }
  }
}

extension ReducerState {
  /// A row that was found by an id, present or not.
  private struct Found {
    /// The row that has the id itself, which may be but another name of one.
    var name: RowHandle
    var handle: RowHandle
    var isPresent: Bool

    init(_ name: RowHandle? = nil, handle: RowHandle, isPresent: Bool) {
      (self.name, self.handle, self.isPresent) = (name ?? handle, handle, isPresent)
    }
  }

  /// The row that an id stands for, whether it was deleted or not; `nil` where there never was one.
  mutating func locate(_ id: String, in collection: RowCollection) -> RowHandle? {
    let place = place(of: collection)
    return id.withBytes { lookUp($0, name(of: $0, in: collection), place)?.handle }
  }

  /// The row that an id stands for, where its name is in a run and can be read; what can't is noted
  /// nowhere.
  mutating func glimpse(_ id: String, in collection: RowCollection) throws -> RowHandle? {
    let place = place(of: collection)
    let shelf = shelves[Int(place)]
    let row = try id.withBytes { id in
      try names.findInRuns(name(of: id, in: collection)) { row in
        try shelf.flags(of: row, having: id) == 0
      }
    }
    return row.map { RowHandle(collection: place, row: $0) }
  }

  /// What the name of an id that is given by its UTF-8 is found by.
  func name(of id: RawSpan, in collection: RowCollection) -> UInt64 {
    NameHash.of(id, in: collection.number, seed: seed)
  }

  /// The row that an id stands for.
  private mutating func lookUp(_ id: RawSpan, _ hash: UInt64, _ place: UInt8) -> Found? {
    do {
      guard let (row, flags) = try seek(id, hash, place) else { return nil }
      return try found(row, flags)
    } catch {
      fail(error)
      return nil
    }
  }

  /// The row that has an id itself, and its flags.
  @inline(__always)
  private mutating func seek(
    _ id: RawSpan, _ hash: UInt64, _ place: UInt8
  ) throws -> (row: RowHandle, flags: UInt8)? {
    if recent.isMissed(hash, place) { return nil }
    let shelf = shelves[Int(place)]
    var (flags, isHashKnown): (UInt8, Bool) = (0, false)
    var next = recent.created.count
    while let name = recent.lastCreated(hash, place, before: &next) {
      isHashKnown = true
      guard let known = try shelf.flags(of: name.row, having: id) else { continue }
      return (name, known)
    }
    let row = try names.find(hash) { row in
      isHashKnown = true
      guard let known = try shelf.flags(of: row, having: id) else { return false }
      flags = known
      return true
    }
    guard let row else {
      if !isHashKnown { recent.noteMissed(hash, place) }
      return nil
    }
    return (RowHandle(collection: place, row: row), flags)
  }

  /// What a row with these flags stands for: itself, unless it is another name of one.
  private func found(_ handle: RowHandle, _ flags: UInt8) throws(RowError) -> Found {
    guard flags & RowFormat.Flag.alias != 0 else {
      return Found(handle: handle, isPresent: flags == 0)
    }
    let shelf = shelves[Int(handle.collection)]
    let target = try shelf.target(of: handle)
    return Found(handle, handle: target, isPresent: try shelf.isPresent(target.row))
  }

  private mutating func make(
    _ id: RawSpan, _ hash: UInt64, _ place: UInt8, as sketch: Sketch?
  ) throws(Refusal) -> RowHandle {
    let created: RowID
    do throws(RowError) {
      created = try create(id, touch(place), as: sketch)
    } catch {
      if case .idLength = error { throw Refusal(error.description) }
      fail(error)
      created = RowID(rawValue: 0)
    }
    let handle = RowHandle(collection: place, row: created)
    recent.noteCreated(hash, handle)
    if recent.isFull { intern() }
    return handle
  }

  private func create(
    _ id: RawSpan, _ shelf: Shelf, as sketch: Sketch?
  ) throws(RowError) -> RowID {
    guard let sketch else { return try shelf.table.create(id) }
    return sketches.span[sketch.part].create(sketch, in: shelf)
  }

  /// Interns the names of new rows.
  mutating func intern() {
    for name in recent.created {
      do throws(LMDBError) { try names.insert(name.hash, name.row.row) } catch { fail(error) }
    }
    recent.forgetCreated()
  }
}
