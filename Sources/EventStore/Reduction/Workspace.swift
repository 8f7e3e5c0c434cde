import LMDB

/// Folds records into rows and views, and tells who looks at them.
///
/// The same whether it works on the views that are shown, on views that are being rebuilt, or on a
/// moment in the past: only what lies under it differs, and whether what it changed is committed.
/// It is not for two threads at once.
final class Workspace {
  /// Rows and views.
  var state: ReducerState
  /// Who looks.
  var hub = Hub()
  /// What changed, for who looks later.
  var journal: Journal
  /// Where the log stood when the last record was reduced.
  private(set) var applied: Applied
  /// The events that were refused since the last frame.
  var refused: [RefusedEvent] = []
  /// What made the views useless, in the middle of a batch: they must be opened anew.
  private(set) var failure: (any Error)?
  /// Those of the frame that is being committed.
  private(set) var frozenRefused: [RefusedEvent] = []
  /// The records that are left out, since reducing them ended the process.
  var skipped: Set<RecordNumber> = []
  /// Whether who looks must begin anew, once everything is reduced again.
  var isStale = false
  /// Whether what is reduced was delivered before.
  var isSilent = false
  /// Whether it is shown, so that rows may learn later of what is done to very many of them.
  var isShown = false { didSet { state.maySweep = isShown } }
  /// Memory for which of a batch's nets are told of next.
  var places: [Int] = []
  /// Rows that need not be looked for, until something is reduced.
  var rowsAtHand: RowsAtHand?

  let definitions: Definitions
  let store: StoreID
  private(set) var base: ViewsBase?
  let reducer: any Reducer
  private let beginning: Applied
  /// The views of which nodes are to be removed.
  private var former: [FormerView]

  /// A workspace over a views' file, or over nothing, for the log of that store.
  init(
    _ definitions: Definitions, of store: StoreID, from beginning: Applied,
    over base: ViewsBase?
  ) throws {
    self.definitions = definitions
    self.store = store
    self.beginning = beginning
    self.base = base
    reducer = definitions.reducer
    let loaded = try LoadedState(definitions, over: base, beginning: beginning)
    applied = loaded.applied
    former = loaded.former
    journal = loaded.journal
    state = loaded.state
  }

  /// Goes back to what is committed.
  ///
  /// Who looks is told to begin anew, once everything is reduced again.
  func takeBack() throws {
    base?.reader.end()
    try load(over: base)
    isStale = true
  }

  /// Drops all that was reduced, and every cache, for what a file holds now; views that are not the
  /// reducer's are built from it.
  func load(over next: ViewsBase?) throws {
    try loadKeptViews(over: next)
    try adopt(hub.transients)
  }

  /// As ``load(over:)``, but views that are not the reducer's are not there.
  func loadKeptViews(over next: ViewsBase?) throws {
    let loaded = try LoadedState(definitions, over: next, beginning: beginning)
    base = next
    applied = loaded.applied
    former = loaded.former
    journal = loaded.journal
    state = loaded.state
    state.maySweep = isShown
    (refused, frozenRefused, failure, rowsAtHand) = ([], [], nil, nil)
    try buildMissingViews()
  }

  /// Whether what is reduced is told at once to who looks.
  var isUpToTell: Bool { failure == nil && !isStale && !isSilent }

  /// The position of the last record that was reduced.
  var position: Position {
    Position(store: store, number: applied.number, chain: applied.chain)
  }

  /// The bytes that the changes of this frame take.
  var byteCount: Int { state.touched.byteCount + state.lists.dirtyBytes + journal.dirtyBytes }

  /// How often a collection or a view was asked for something, or told something, by events and
  /// batches: what reducing costs beside what reducers do.
  var visits: Int { state.touched.visits + state.lists.visits }

  /// Reduces records that follow what was reduced; says whether they did, or are the last that was
  /// reduced: they come again where the log's map had to grow.
  func reduce(_ records: WrittenRecords) throws -> Bool {
    var queue = RecordQueue(records)
    repeat {
      guard try reduce(&queue, until: { false }) != nil else { return false }
    } while !queue.isEmpty
    return true
  }

  /// Reduces records that follow what was reduced, some of them at least, until there are none any
  /// more or somebody else wants the views; says what came of it, or `nil` where they neither did
  /// nor are the last that was reduced.
  func reduce(_ queue: inout RecordQueue, until isWanted: () -> Bool) throws -> Reduction? {
    guard queue.place == applied else {
      return queue.skip(to: applied) ? Reduction(bytes: byteCount) : nil
    }
    let additionsBefore = state.additions
    state.sketches = queue.sketches
    defer { state.sketches = [] }
    try reduceBatch {
      try Self.fold(&queue, by: reducer, into: &state, &journal, &refused, until: isWanted)
      return queue.place
    }
    return Reduction(bytes: byteCount, additions: state.additions - additionsBefore)
  }

  /// Folds records that were handed over, with all that it changes at hand.
  private static func fold(
    _ queue: inout RecordQueue, by reducer: any Reducer, into state: inout ReducerState,
    _ journal: inout Journal, _ refused: inout [RefusedEvent], until isWanted: () -> Bool
  ) throws {
    try queue.take(until: isWanted) { record throws in
      try state.fold(record, by: reducer, &journal, &refused)
    }
  }

  /// Reduces records that the log holds, some at a time, and tells who looks to begin anew where
  /// that is due and everything has been reduced; says how many there were.
  func catchUp(from snapshot: borrowing Snapshot, atMost limit: Int) throws -> Int {
    let count = try reduce(from: snapshot, atMost: limit)
    // What the log's thread is writing may be reduced already.
    if isStale, applied.number >= snapshot.last { try resetLookers() }
    return count
  }

  /// Reduces records from the log, none of them behind `last`; says how many.
  ///
  /// Meanwhile `telling` is called where it is still known what they did.
  ///
  /// - Throws: ``LogError/compacted(floor:)`` where what follows was compacted before it was
  ///   reduced.
  func reduce(
    from snapshot: borrowing Snapshot, atMost limit: Int, through last: RecordNumber? = nil,
    telling: () throws -> Void = {}
  ) throws -> Int {
    let last = min(last ?? snapshot.last, snapshot.last)
    guard applied.number < last else { return 0 }
    var pass = LogPass(behind: applied, atMost: limit, through: last, without: skipped)
    try reduceBatch(telling) {
      try pass.run(over: snapshot, by: reducer, into: &state, &journal, &refused)
    }
    return pass.count
  }

  /// Reduces records that are in no log, which `body` hands over one by one, together; `telling`
  /// is called while it is still known what they did.
  func reduceLoose(
    _ end: Applied, telling: () throws -> Void = {},
    _ body: ((borrowing RecordView) throws -> Void) throws -> Void
  ) throws {
    try reduceBatch(telling) {
      try body { record throws in
        try state.fold(record, by: reducer, without: skipped, &journal, &refused)
      }
      return end
    }
  }

  /// Throws where the views are useless.
  func requireWhole() throws {
    if let failure { throw failure }
  }

  /// Folds what `body` folds, together.
  private func reduceBatch(
    _ telling: () throws -> Void = {}, _ body: () throws -> Applied
  ) throws {
    try requireWhole()
    rowsAtHand = nil
    try failing { try endBatch(at: body(), telling) }
  }

  /// Where `body` fails, nothing can be done any more.
  func failing(_ body: () throws -> Void) throws {
    do { try body() } catch {
      failure = error
      throw error
    }
  }

  private func endBatch(at end: Applied, _ telling: () throws -> Void) throws {
    try state.lists.settle(state.shelves)
    journal.advance(to: end.number.rawValue)
    applied = end
    if !hub.isEmpty, !isStale, !isSilent { try deliver() }
    try telling()
    state.endBatch()
    state.lists.endBatch()
  }
}

extension Workspace {
  /// The rows of a view's collection.
  func shelf(of view: Int) -> Shelf { state.shelves[Int(state.lists.views[view].collection)] }

  /// A view's plan.
  func plan(of view: Int) -> ViewPlan { state.lists.views[view].plan }

  /// A row as it is now.
  func row(_ id: RowID, on shelf: Shelf) throws -> Row {
    let row = try shelf.table.withRow(id) { row -> Row? in
      guard let row, row.isPresent else { return nil }
      return Row(row, shelf.collection.shape)
    }
    guard let row else {
      throw ViewsError.inconsistent("row \(id.rawValue) is in a view, but absent")
    }
    return row
  }

  /// Ends the frame: what is to be committed.
  func freeze() throws(LMDBError) -> Frame {
    let rows = state.shelves.map { $0.table.freeze() }
    state.endFrame()
    let names = state.names.freeze()
    let journal = try journal.freeze()
    let nodes = state.lists.freeze()
    let removals = former.takeNodes()
    (frozenRefused, refused) = (refused, [])
    return Frame(
      applied: applied, names: names, rows: rows, nodes: nodes, removals: removals,
      journal: journal, refused: frozenRefused,
      meta: ViewsMeta(
        applied: applied, store: store, totals: rows.map { ($0.collection.number, $0.totals) },
        views: state.lists.kept.map(\.meta), former: former),
      mark: mark)
  }

  /// What rows and views are together.
  var mark: FrameMark { FrameMark(applied.number, state.shelves, state.lists.kept) }

  /// Notes that the frame is committed.
  func committed() throws(LMDBError) {
    try base?.reader.renew()
    for shelf in state.shelves { shelf.table.committed() }
    state.names.committed()
    journal.committed()
    state.lists.committed()
    frozenRefused = []
  }

  /// Forgets what there was to tell so far of this frame.
  func forgetNews() { journal.forget() }

  /// Lets go of the file, so that it can grow; the next look into it begins anew.
  func endReading() { base?.reader.end() }
}
