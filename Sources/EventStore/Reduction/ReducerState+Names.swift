import LMDB

/// Finding rows by their ids, and creating rows.
extension ReducerState {
  /// Returns the row with an id, creating it if there is none; a deleted row comes back without
  /// values.
  ///
  /// - Complexity: O(1), amortized, plus a read if the row is not in memory.
  /// - Throws: ``Refusal`` if the id is empty or too long.
  /// - Precondition: The collection is one of the reducer's.
  public mutating func row(_ id: String, in collection: RowCollection) throws(Refusal) -> RowHandle
  {
    try id.withBytes { bytes throws(Refusal) in try row(bytes, in: collection) }
  }

  /// Returns the row with an id given as UTF-8, creating it if there is none.
  public mutating func row(_ id: RawSpan, in collection: RowCollection) throws(Refusal) -> RowHandle
  {
    try row(id, in: collection, nil).row
  }

  /// Returns the row with the same id as a present row of another collection, creating it if there
  /// is none.
  package mutating func row(
    like other: RowHandle, in collection: RowCollection
  ) throws(Refusal) -> RowHandle {
    var id = spares.take()
    defer { spares.keep(&id) }
    lend(other) { id.append(copying: $0.idBytes) }
    return try row(id.raw, in: collection)
  }

  /// Returns the row with an id given as UTF-8, creating it if there is none; a new row has the
  /// values sketched for it for a record.
  ///
  /// - Returns: The row, and whether it was created from a sketch.
  /// - Complexity: As without a sketch.
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
      guard let sketch else { return (try makeEmpty(id, hash, place), false) }
      return (try make(hash, place) { sketch.page.create(sketch.place, in: $0) }, true)
    }
    if !found.isPresent {
      touch(place)
      do throws(RowError) {
        try shelves[Int(place)].table.revive(found.handle.row)
      } catch {
        fail(error)
      }
    }
    return (found.handle, false)
  }

  /// Returns a new row with an id that no row ever had.
  ///
  /// - Complexity: O(1), amortized: the id isn't looked up.
  /// - Throws: ``Refusal`` if the id is empty or too long.
  /// - Precondition: The collection is one of the reducer's. It never had a row with the id, or an
  ///   alias, whatever the log holds; checked in debug builds only.
  package mutating func create(
    _ id: String, in collection: RowCollection
  ) throws(Refusal) -> RowHandle {
    let place = place(of: collection)
    return try id.withBytes { id throws(Refusal) in
      let hash = name(of: id, in: collection)
      assert(lookUp(id, hash, place) == nil, "a row of \(collection.name) has the id")
      return try makeEmpty(id, hash, place)
    }
  }

  /// Creates all rows of a collection that are sketched for a record, in their order, if their ids
  /// are new and `isFree` returns `true` for each; returns the first, or `nil` with nothing done.
  ///
  /// - Complexity: As for finding each id.
  /// - Precondition: The collection is one of the reducer's.
  package mutating func createSketched(
    in collection: RowCollection, for number: RecordNumber,
    ifAll isFree: (inout ReducerState, RawSpan) -> Bool
  ) throws(Refusal) -> RowHandle? {
    guard let page = sketches.page(for: number) else { return nil }
    let place = place(of: collection)
    let areFree = page.forEachRow(for: number, in: collection) { id, _ in
      lookUp(id, name(of: id, in: collection), place) == nil && isFree(&self, id)
    }
    guard areFree else { return nil }
    var first: RowHandle?
    _ = try page.forEachRow(for: number, in: collection) { id, sketch throws(Refusal) in
      let row = try make(name(of: id, in: collection), place) { page.create(sketch, in: $0) }
      (first, additions) = (first ?? row, additions + 1)
      return true
    }
    return first
  }

  /// Returns the row with an id, or `nil` if there is none or it was deleted.
  ///
  /// - Complexity: O(1), amortized, plus a read if the row is not in memory.
  /// - Precondition: The collection is one of the reducer's.
  public mutating func find(_ id: String, in collection: RowCollection) -> RowHandle? {
    id.withBytes { find($0, in: collection) }
  }

  /// Returns the row with an id given as UTF-8, if it is present.
  public mutating func find(_ id: RawSpan, in collection: RowCollection) -> RowHandle? {
    let place = place(of: collection)
    // A collection that never had a row has no names either.
    guard hadAny(place) else { return nil }
    let hash = name(of: id, in: collection)
    guard let found = lookUp(id, hash, place), found.isPresent else { return nil }
    return found.handle
  }

  /// Returns whether a collection ever had a row.
  ///
  /// - Precondition: The collection is one of the reducer's.
  package func hadAny(in collection: RowCollection) -> Bool { hadAny(place(of: collection)) }

  @inline(__always)
  private func hadAny(_ place: UInt8) -> Bool { shelves[Int(place)].table.totals.lastID > 0 }

  /// Lends the row with an id, given as UTF-8, for reading; returns the row, or `nil` if there is
  /// none or it was deleted.
  ///
  /// - Complexity: As for ``find(_:in:)`` and ``lend(_:_:)``; one read if it is the same row as the
  ///   last time.
  /// - Precondition: The collection is one of the reducer's.
  package mutating func lend(
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

  /// Makes an id refer to a row from now on, whatever it referred to before.
  ///
  /// If the id had a row of its own, present or deleted, that row is gone with its values, which
  /// must be merged first; its other names move along. If the id was an alias of another row, that
  /// row stays as it is, present or deleted, with all its other names.
  ///
  /// - Complexity: As for finding the id.
  /// - Throws: ``Refusal`` if the id is empty or too long.
  /// - Precondition: The row is of a collection of the reducer's.
  public mutating func alias(_ id: String, to row: RowHandle) throws(Refusal) {
    try id.withBytes { id throws(Refusal) in try alias(id, to: row) }
  }

  /// Makes an id that is an alias refer to no other row any more, so that it can have its own.
  ///
  /// - Complexity: As for finding the id.
  /// - Precondition: The collection is one of the reducer's.
  public mutating func release(_ id: String, in collection: RowCollection) {
    let place = place(of: collection)
    let found = id.withBytes { lookUp($0, name(of: $0, in: collection), place) }
    guard let found, found.name != found.handle else { return }
    touch(place)
    do throws(RowError) {
      // Subscribers of the row by that name are found through the row.
      try shelves[Int(place)].table.edit(found.handle.row) { _ in }
      try shelves[Int(place)].table.revive(found.name.row)
      try shelves[Int(place)].table.delete(found.name.row)
    } catch {
      fail(error)
    }
  }

  private mutating func alias(_ id: RawSpan, to row: RowHandle) throws(Refusal) {
    let (place, shelf) = (row.collection, shelves[Int(row.collection)])
    touch(place)
    let hash = name(of: id, in: shelf.collection)
    let found: Found
    if let known = lookUp(id, hash, place) {
      found = known
    } else {
      found = Found(handle: try makeEmpty(id, hash, place), isPresent: true)
    }
    do {
      let target = try shelf.target(of: row)
      guard found.handle != target else { return }
      // Subscribers of the row by that name are found through the row.
      if found.name != found.handle { try shelf.table.edit(found.handle.row) { _ in } }
      try shelf.table.redirect(found.name.row, to: target.row)
    } catch {
      fail(error)
    }
  }
}

extension ReducerState {
  /// A row found by an id, present or not.
  private struct Found {
    /// The row that has the id itself, which may be just an alias.
    var name: RowHandle
    var handle: RowHandle
    var isPresent: Bool

    init(_ name: RowHandle? = nil, handle: RowHandle, isPresent: Bool) {
      (self.name, self.handle, self.isPresent) = (name ?? handle, handle, isPresent)
    }
  }

  /// Returns the row that an id refers to, even if deleted; `nil` if there never was one.
  mutating func locate(_ id: String, in collection: RowCollection) -> RowHandle? {
    let place = place(of: collection)
    return id.withBytes { lookUp($0, name(of: $0, in: collection), place)?.handle }
  }

  /// Returns the present row with an id, if its name is in a run; throws read errors without noting
  /// them.
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

  /// Returns the hash by which an id given as UTF-8 is found.
  func name(of id: RawSpan, in collection: RowCollection) -> UInt64 {
    NameHash.of(id, in: collection.number, seed: seed)
  }

  /// Returns the row that an id refers to.
  private mutating func lookUp(_ id: RawSpan, _ hash: UInt64, _ place: UInt8) -> Found? {
    do {
      guard let (row, flags) = try seek(id, hash, place) else { return nil }
      return try found(row, flags)
    } catch {
      fail(error)
      return nil
    }
  }

  /// Returns the row that has an id itself, and its flags.
  @inline(__always)
  private mutating func seek(
    _ id: RawSpan, _ hash: UInt64, _ place: UInt8
  ) throws -> (row: RowHandle, flags: UInt8)? {
    if recent.isMissed(hash, place) { return nil }
    if let known = recent.found(hash, place),
      let flags = try shelves[Int(place)].flags(of: known.row, having: id)
    {
      return (known, flags)
    }
    if let next = recent.successor(place),
      let flags = try shelves[Int(place)].flags(of: next.row, having: id)
    {
      recent.noteFound(hash, next)
      return (next, flags)
    }
    var (flags, isHashKnown): (UInt8, Bool) = (0, false)
    var next = recent.created.count
    while let name = recent.lastCreated(hash, place, before: &next) {
      isHashKnown = true
      guard let known = try shelves[Int(place)].flags(of: name.row, having: id) else { continue }
      return (name, known)
    }
    let row = try names.find(hash) { row in
      isHashKnown = true
      guard let known = try shelves[Int(place)].flags(of: row, having: id) else { return false }
      flags = known
      return true
    }
    guard let row else {
      if !isHashKnown { recent.noteMissed(hash, place) }
      return nil
    }
    let handle = RowHandle(collection: place, row: row)
    recent.noteFound(hash, handle)
    return (handle, flags)
  }

  /// Returns the row that a row with these flags refers to: itself unless it is an alias.
  private func found(_ handle: RowHandle, _ flags: UInt8) throws(RowError) -> Found {
    guard flags & RowFormat.Flag.alias != 0 else {
      return Found(handle: handle, isPresent: flags == 0)
    }
    let shelf = shelves[Int(handle.collection)]
    let target = try shelf.target(of: handle)
    return Found(handle, handle: target, isPresent: try shelf.isPresent(target.row))
  }

  /// Makes a row without values.
  private mutating func makeEmpty(
    _ id: RawSpan, _ hash: UInt64, _ place: UInt8
  ) throws(Refusal) -> RowHandle {
    try make(hash, place) { shelf throws(RowError) in try shelf.table.create(id) }
  }

  private mutating func make(
    _ hash: UInt64, _ place: UInt8, _ create: (Shelf) throws(RowError) -> RowID
  ) throws(Refusal) -> RowHandle {
    let created: RowID
    touch(place)
    do throws(RowError) {
      created = try create(shelves[Int(place)])
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

  /// Interns the names of new rows.
  mutating func intern() {
    for name in recent.created {
      do throws(LMDBError) { try names.insert(name.hash, name.row.row) } catch { fail(error) }
    }
    recent.forgetCreated()
  }
}
