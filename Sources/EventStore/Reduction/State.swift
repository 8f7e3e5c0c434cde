import LMDB

/// What a reducer reads and changes: rows, found by their ids.
///
/// It is lent for the time of one call, over the live rows as well as over those of a rebuild, of a
/// moment in the past, or of a history that never was: a reducer can't tell. Nothing that it does
/// fails for want of a disk; where the disk does fail, what the reducer made of it is dropped.
public struct State: ~Copyable {
  /// The rows, by the place of their collection among the reducer's.
  let shelves: [Shelf]
  /// Where rows are found by their ids.
  var names: NameIndex
  /// The views.
  var lists: ListBook
  /// Which of the rows' collections events touch.
  private(set) var touched = TouchedShelves()
  /// What could not be read or written: all that was done since counts for nothing.
  private(set) var failure: (any Error)?
  /// Why the present event is refused, though its reducer goes on.
  private(set) var refusal: Refusal?
  /// Who sees what each event does to rows, where somebody goes through the past.
  var witness: EventWitness?
  /// Whether the event touched so many rows of a collection that it has not ended there yet.
  private(set) var isHuge = false
  /// Whether rows may learn later of what is done to very many of them.
  var maySweep = false
  /// The views that lose, by what the present event sweeps, all rows that it doesn't touch besides.
  var cleared: Set<UInt16> = []
  /// The ids that the events to come are going to ask for.
  var expected: ExpectedNames
  /// What was sketched of the records that are being reduced.
  var sketches: [RowSketches] = []
  /// How often a reducer added a row that might have been sketched.
  var additions = 0
  /// The names of rows that the present event created.
  private var newNames: [(hash: UInt64, row: RowHandle)] = []
  /// The hash that was looked up last of those that no name has: most often it is given one next.
  private var lastMissed: (hash: UInt64, place: UInt8)?
  /// What was found last by ``lend(_:in:_:)``.
  private var lastRead: (hash: UInt64, row: RowHandle)?
  private let places: [UInt8?]
  private let seed: UInt64

  /// How many new names an event may hold back before they are interned though it may be refused.
  private static let newNamesMax = 32

  init(_ shelves: [Shelf], _ names: consuming NameIndex, _ lists: consuming ListBook, seed: UInt64)
  {
    self.shelves = shelves
    self.names = names
    self.lists = lists
    self.seed = seed
    places = Self.places(of: shelves)
    expected = ExpectedNames(places, seed: seed)
  }

  private static func places(of shelves: [Shelf]) -> [UInt8?] {
    var places = [UInt8?](repeating: nil, count: 256)
    for (index, shelf) in shelves.enumerated() {
      places[Int(shelf.collection.number)] = UInt8(index)
    }
    return places
  }

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
    let place = place(of: collection)
    let hash = name(of: id, in: collection)
    guard let found = lookUp(id, hash, place) else { return try make(id, hash, place) }
    if found.isPresent { return found.handle }
    do throws(RowError) {
      try touch(place).table.revive(found.handle.row)
    } catch {
      fail(error)
    }
    return found.handle
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
    if let last = lastRead, last.hash == hash, lend(last.row, having: id, body) { return last.row }
    guard let row = find(id, in: collection) else { return nil }
    lastRead = (hash, row)
    lend(row, body)
    return row
  }

  /// Has an id find a row from now on, whatever it found before.
  ///
  /// A row of its own that it had is gone, with its values: merge them before.
  ///
  /// - Throws: ``Refusal`` where the id is empty or too long.
  /// - Precondition: The row is of a collection of the reducer's.
  public mutating func alias(_ id: String, to row: RowHandle) throws(Refusal) {
    let collection = shelves[Int(row.collection)].collection
    let other = try self.row(id, in: collection)
    guard other != row else { return }
    let shelf = touch(row.collection)
    do throws(RowError) {
      try shelf.table.redirect(other.row, to: row.row)
    } catch {
      fail(error)
    }
  }
}

extension State {
  func place(of collection: RowCollection) -> UInt8 {
    guard let place = places[Int(collection.number)] else {
      preconditionFailure("\(collection.name) is not one of the reducer's collections")
    }
    return place
  }

  /// A row that was found by an id, present or not.
  private struct Found {
    var handle: RowHandle
    var isPresent: Bool
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
    if let lastMissed, lastMissed.hash == hash, lastMissed.place == place { return nil }
    let shelf = shelves[Int(place)]
    var (flags, isHashKnown): (UInt8, Bool) = (0, false)
    do {
      for name in newNames.reversed() where name.hash == hash && name.row.collection == place {
        isHashKnown = true
        guard let known = try shelf.flags(of: name.row.row, having: id) else { continue }
        return found(name.row, known)
      }
      let row = try names.find(hash) { row in
        isHashKnown = true
        guard let known = try shelf.flags(of: row, having: id) else { return false }
        flags = known
        return true
      }
      guard let row else {
        if !isHashKnown { lastMissed = (hash, place) }
        return nil
      }
      return found(RowHandle(collection: place, row: row), flags)
    } catch {
      fail(error)
      return nil
    }
  }

  /// What a row with these flags stands for: itself, unless it is another name of one.
  private func found(_ handle: RowHandle, _ flags: UInt8) -> Found {
    guard flags & RowFormat.Flag.alias != 0 else {
      return Found(handle: handle, isPresent: flags == 0)
    }
    let target = shelves[Int(handle.collection)].target(of: handle)
    return Found(handle: target, isPresent: isPresent(target))
  }

  private mutating func make(
    _ id: RawSpan, _ hash: UInt64, _ place: UInt8
  ) throws(Refusal) -> RowHandle {
    let created: RowID
    do throws(RowError) {
      created = try touch(place).table.create(id)
    } catch {
      if case .idLength = error { throw Refusal(error.description) }
      fail(error)
      created = RowID(rawValue: 0)
    }
    let handle = RowHandle(collection: place, row: created)
    lastMissed = nil
    newNames.append((hash, handle))
    if newNames.count > Self.newNamesMax { intern() }
    return handle
  }

  /// Whether a row is there, and not merely its id.
  public func isPresent(_ row: RowHandle) -> Bool {
    shelves[Int(row.collection)].isPresent(row.row)
  }

  /// Notes what could not be read or written.
  mutating func fail(_ error: any Error) { failure = failure ?? error }

  /// Notes that the event can't be: a row would become too large.
  mutating func refuse(_ error: RowError) {
    if case .storage = error { return fail(error) }
    refusal = refusal ?? Refusal(error.description)
  }

  /// What `body` returns, or `nil` where it fails, which is noted.
  mutating func attempt<R, E: Error>(_ body: () throws(E) -> R) -> R? {
    do throws(E) { return try body() } catch {
      fail(error)
      return nil
    }
  }

  /// Interns the names of new rows.
  private mutating func intern() {
    for name in newNames {
      do throws(LMDBError) { try names.insert(name.hash, name.row.row) } catch { fail(error) }
    }
    newNames.removeAll(keepingCapacity: true)
  }
}

/// What whoever folds calls around a reducer.
extension State {
  /// A collection whose rows are about to be changed by the present event.
  @inline(__always)
  mutating func touch(_ place: UInt8) -> Shelf {
    let shelf = shelves[Int(place)]
    if !touched.inEvent.contains(place) { touched.begin(place, shelf) }
    return shelf
  }

  /// Notes that it is not known which rows of a collection the batch touched.
  mutating func noteUpset(_ place: UInt8) { touched.noteUpset(place) }

  mutating func endBatch() { touched.endBatch(shelves) }

  mutating func beginEvent() {
    refusal = nil
    isHuge = false
    if !cleared.isEmpty { cleared = [] }
  }

  /// Ends an event, but for collections of which it touched very many rows.
  mutating func endEvent() {
    if !newNames.isEmpty { intern() }
    touched.inEvent.forEach { place in
      let shelf = shelves[Int(place)]
      if shelf.table.isHuge { isHuge = true } else { shelf.table.endEvent() }
    }
  }

  /// Goes on behind an event that ended, and of which everything is noted.
  mutating func passEvent() { touched.passEvent(shelves) }

  /// Notes that all collections have gone on behind such an event.
  mutating func forgetEvent() { touched.forgetEvent() }

  mutating func rollBackEvent() {
    newNames.removeAll(keepingCapacity: true)
    touched.inEvent.forEach { shelves[Int($0)].table.rollBackEvent() }
    passEvent()
  }

  /// Notes that the rows' changes are set aside with the frame.
  mutating func endFrame() { touched.endFrame(shelves) }
}

extension Shelf {
  /// The flags of a row, or `nil` where it doesn't have that id.
  @inline(__always)
  func flags(of row: RowID, having id: RawSpan) throws(RowError) -> UInt8? {
    try table.withRow(row) { row in
      guard let row, row.id.equals(id) else { return nil }
      return row.flags
    }
  }

  /// Whether a row is there, and not merely its id.
  func isPresent(_ row: RowID) -> Bool {
    (try? table.withRow(row) { $0?.isPresent == true }) == true
  }

  /// The row that a row's id stands for: itself, unless it is another name of one.
  func target(of handle: RowHandle) -> RowHandle {
    var handle = handle
    // Names of names are rare, and never go round.
    for _ in 0..<Self.aliasesMax {
      let target = try? table.withRow(handle.row) { row -> RowID? in
        guard let row, row.flags & RowFormat.Flag.alias != 0 else { return nil }
        return RowID(rawValue: UInt32(truncatingIfNeeded: row.slot(0)))
      }
      guard let target = target ?? nil else { return handle }
      handle = RowHandle(collection: handle.collection, row: target)
    }
    return handle
  }

  /// How many names of names are followed.
  private static let aliasesMax = 64
}
