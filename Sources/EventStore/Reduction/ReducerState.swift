import LMDB

/// The rows, found by their ids, that a reducer reads and changes.
///
/// The state is lent for one call. It may hold the live rows, those of a rebuild, of a moment in
/// the past, or of a hypothetical history; a reducer can't tell. Its operations never fail because
/// of the disk; if the disk fails, the reducer's results are dropped.
public struct ReducerState: ~Copyable {
  /// The rows, by their collection's place among the reducer's.
  let shelves: [Shelf]
  /// The index of rows by id.
  var names: NameIndex
  /// The views.
  var lists: ListBook
  /// The collections that events touch.
  private(set) var touched = TouchedShelves()
  /// The first read or write failure; everything done since is void.
  private(set) var failure: (any Error)?
  /// Why the present event is refused, although its reducer continues.
  private(set) var refusal: Refusal?
  /// The observer of each event's changes to rows, when walking through the past.
  var witness: EventWitness?
  /// Whether the event touched so many rows of a collection that it has not ended there yet.
  private(set) var isHuge = false
  /// Whether rows may learn later of changes to very many of them.
  var maySweep = false
  /// The views that lose, by the present event's sweeps, all rows it doesn't otherwise touch.
  var cleared: Set<UInt16> = []
  /// The ids that upcoming events will look up.
  var expected: ExpectedNames
  /// The sketches for the records being reduced.
  var sketches = SketchPages()
  /// How often a reducer added a row that might have been sketched.
  var additions = 0
  /// The buffers in which a reducer makes names.
  package var spares = SpareBuffers()
  /// The names found and created last.
  var recent = RecentNames()
  private let places: [UInt8?]
  let seed: UInt64

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
}

extension ReducerState {
  func place(of collection: RowCollection) -> UInt8 {
    guard let place = places[Int(collection.number)] else {
      preconditionFailure("\(collection.name) is not one of the reducer's collections")
    }
    return place
  }

  /// Returns whether a row is present, not just its id.
  public mutating func isPresent(_ row: RowHandle) -> Bool {
    let shelf = shelves[Int(row.collection)]
    return attempt { () throws(RowError) in try shelf.isPresent(row.row) } ?? false
  }

  /// Notes a read or write failure.
  mutating func fail(_ error: any Error) { failure = failure ?? error }

  /// Notes that the event is refused because a row would become too large.
  mutating func refuse(_ error: RowError) {
    if case .storage = error { return fail(error) }
    refusal = refusal ?? Refusal(error.description)
  }

  /// Returns the result of `body`, or `nil` if it fails; notes the failure.
  mutating func attempt<R, E: Error>(_ body: () throws(E) -> R) -> R? {
    do throws(E) { return try body() } catch {
      fail(error)
      return nil
    }
  }
}

/// The operations around each call of a reducer.
extension ReducerState {
  /// Notes that the present event is about to change rows of a collection.
  @inline(__always)
  mutating func touch(_ place: UInt8) {
    if !touched.inEvent.contains(place) { touched.begin(place, shelves) }
  }

  /// Notes that the rows of a collection touched by the batch are unknown.
  mutating func noteUpset(_ place: UInt8) { touched.noteUpset(place) }

  mutating func endBatch() { touched.endBatch(shelves) }

  mutating func beginEvent() {
    refusal = nil
    isHuge = false
    if !cleared.isEmpty { cleared = [] }
  }

  /// Ends an event, except in collections where it touched very many rows.
  mutating func endEvent() {
    if !recent.created.isEmpty { intern() }
    touched.inEvent.forEach { place in
      if shelves[Int(place)].table.isHuge {
        isHuge = true
      } else {
        shelves[Int(place)].table.endEvent()
      }
    }
  }

  /// Moves on after an event that ended and is fully noted.
  mutating func passEvent() { touched.passEvent(shelves) }

  /// Notes that all collections have moved on after such an event.
  mutating func forgetEvent() { touched.forgetEvent() }

  mutating func rollBackEvent() {
    recent.forgetCreated()
    touched.inEvent.forEach { shelves[Int($0)].table.rollBackEvent() }
    passEvent()
  }

  /// Notes that the rows' changes are set aside with the frame.
  mutating func endFrame() { touched.endFrame(shelves) }
}

extension Shelf {
  /// Returns the flags of a row, or `nil` if it doesn't have that id.
  @inline(__always)
  func flags(of row: RowID, having id: RawSpan) throws(RowError) -> UInt8? {
    try table.withRow(row) { row in
      guard let row, row.id.equals(id) else { return nil }
      return row.flags
    }
  }

  /// Returns whether a row is present, not just its id.
  func isPresent(_ row: RowID) throws(RowError) -> Bool {
    try table.withRow(row) { RowView.isPresent($0) }
  }

  /// Returns the row that a row's id refers to: itself unless it is an alias.
  func target(of handle: RowHandle) throws(RowError) -> RowHandle {
    var handle = handle
    // Aliases of aliases are rare and never form a cycle.
    for _ in 0..<Self.aliasesMax {
      let target = try table.withRow(handle.row) { row -> RowID? in
        guard let row, row.flags & RowFormat.Flag.alias != 0 else { return nil }
        return RowID(rawValue: UInt32(truncatingIfNeeded: row.slot(0)))
      }
      guard let target else { return handle }
      handle = RowHandle(collection: handle.collection, row: target)
    }
    return handle
  }

  /// The maximum length of a chain of aliases.
  private static let aliasesMax = 64
}
