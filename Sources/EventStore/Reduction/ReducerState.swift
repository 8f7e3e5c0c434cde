import LMDB

/// What a reducer reads and changes: rows, found by their ids.
///
/// It is lent for the time of one call, over the live rows as well as over those of a rebuild, of a
/// moment in the past, or of a history that never was: a reducer can't tell. Nothing that it does
/// fails for want of a disk; where the disk does fail, what the reducer made of it is dropped.
public struct ReducerState: ~Copyable {
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
  /// What was found and made by names last.
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

  /// Whether a row is there, and not merely its id.
  public mutating func isPresent(_ row: RowHandle) -> Bool {
    let shelf = shelves[Int(row.collection)]
    return attempt { () throws(RowError) in try shelf.isPresent(row.row) } ?? false
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
}

/// What whoever folds calls around a reducer.
extension ReducerState {
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
    if !recent.created.isEmpty { intern() }
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
    recent.forgetCreated()
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
  func isPresent(_ row: RowID) throws(RowError) -> Bool {
    try table.withRow(row) { RowView.isPresent($0) }
  }

  /// The row that a row's id stands for: itself, unless it is another name of one.
  func target(of handle: RowHandle) throws(RowError) -> RowHandle {
    var handle = handle
    // Names of names are rare, and never go round.
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

  /// How many names of names are followed.
  private static let aliasesMax = 64
}
