import LMDB

/// Folds records into rows and views and notifies subscribers.
///
/// It works the same on the published views, on views being rebuilt, and on a moment in the past;
/// only the underlying storage differs and whether changes are committed. A workspace is not safe
/// for concurrent use.
final class Workspace {
  /// The rows and views.
  var state: ReducerState
  /// The subscribers.
  var hub = Hub()
  /// The changes, for later subscribers.
  var journal: Journal
  /// The log's position after the last reduced record.
  private(set) var applied: LogPoint
  /// A record up to which the log certainly has everything that was reduced.
  private(set) var settled: RecordNumber
  /// The last record of the frame being committed.
  private var frozenNumber = RecordNumber.zero
  /// The events refused since the last frame.
  var refused: [RefusedEvent] = []
  /// The error that made the views unusable in the middle of a batch; they must be reopened.
  private(set) var failure: (any Error)?
  /// The refused events of the frame being committed.
  private(set) var frozenRefused: [RefusedEvent] = []
  /// The records to leave out because reducing them ended the process.
  var skipped: Set<RecordNumber>
  /// Whether subscribers must restart once everything is reduced again.
  var isStale = false
  /// Whether the records being reduced were delivered before.
  var isSilent = false
  /// Whether the views are published, so that rows may learn later of changes to very many of them.
  var isShown = false { didSet { state.maySweep = isShown } }
  /// Scratch memory for the nets of a batch to deliver next.
  var places: [Int] = []
  /// Rows that need no lookup until something is reduced.
  var rowsAtHand: RowsAtHand?

  let definitions: Definitions
  let store: StoreID
  private(set) var base: ViewsBase?
  let reducer: any Reducer
  private let beginning: LogPoint
  /// The former views whose nodes remain to be removed.
  private var former: [FormerView]

  /// Creates a workspace over a views' file, or over nothing, for the log of a store.
  init(
    _ definitions: Definitions, of store: StoreID, from beginning: LogPoint,
    over base: ViewsBase?
  ) throws {
    self.definitions = definitions
    self.store = store
    self.beginning = beginning
    self.base = base
    skipped = definitions.skipped
    reducer = definitions.reducer
    let loaded = try LoadedState(definitions, over: base, beginning: beginning)
    applied = loaded.applied
    settled = loaded.applied.number
    former = loaded.former
    journal = loaded.journal
    state = loaded.state
  }

  /// Reverts to the committed state.
  ///
  /// Subscribers are told to restart once everything is reduced again.
  func takeBack() throws {
    isStale = true
    base?.reader.end()
    try failing { try load(over: base) }
  }

  /// Drops everything reduced and every cache in favor of a file's current content, from which
  /// views that are not the reducer's are rebuilt.
  func load(over next: ViewsBase?) throws {
    try loadKeptViews(over: next)
    try adopt(hub.transients)
  }

  /// Works like ``load(over:)``, but without the views that are not the reducer's.
  func loadKeptViews(over next: ViewsBase?) throws {
    let loaded = try LoadedState(definitions, over: next, beginning: beginning)
    base = next
    applied = loaded.applied
    settled = loaded.applied.number
    former = loaded.former
    journal = loaded.journal
    state = loaded.state
    state.maySweep = isShown
    (refused, frozenRefused, failure, rowsAtHand) = ([], [], nil, nil)
    try buildMissingViews()
  }

  /// Whether subscribers are told at once what is reduced.
  var isUpToTell: Bool { failure == nil && !isStale && !isSilent }

  /// The position of the last reduced record.
  var position: Position {
    Position(store: store, number: applied.number, chain: applied.chain)
  }

  /// The size in bytes of this frame's changes.
  var byteCount: Int { state.touched.byteCount + state.lists.dirtyBytes + journal.dirtyBytes }

  /// How often events and batches queried or notified a collection or a view, or examined a net:
  /// the overhead of reducing beyond the reducers' own work.
  var visits: Int { state.touched.visits + state.lists.visits }

  /// Reduces records that follow those reduced before; returns whether they do, or were the last
  /// reduced: they come again if the log's map had to grow.
  func reduce(_ records: WrittenRecords) throws -> Bool {
    var queue = RecordQueue(records)
    repeat {
      guard try reduce(&queue, until: { false }) != nil else { return false }
    } while !queue.isEmpty
    return true
  }

  /// Reduces at least some records that follow those reduced before, until none are left or another
  /// thread wants the views; returns the outcome, or `nil` if the records neither follow nor were
  /// the last reduced.
  func reduce(_ queue: inout RecordQueue, until isWanted: () -> Bool) throws -> Reduction? {
    guard queue.place == applied else {
      return queue.skip(to: applied) ? Reduction(bytes: byteCount) : nil
    }
    let additionsBefore = state.additions
    state.sketches = SketchPages(queue.sketches)
    defer { state.sketches = SketchPages() }
    try reduceBatch {
      try Self.fold(&queue, by: reducer, into: &state, &journal, &refused, until: isWanted)
      return queue.place
    }
    return Reduction(bytes: byteCount, additions: state.additions - additionsBefore)
  }

  /// Folds records handed over, with direct access to the state it changes.
  private static func fold(
    _ queue: inout RecordQueue, by reducer: any Reducer, into state: inout ReducerState,
    _ journal: inout Journal, _ refused: inout [RefusedEvent], until isWanted: () -> Bool
  ) throws {
    try queue.take(until: isWanted) { record throws in
      try state.fold(record, by: reducer, &journal, &refused)
    }
  }

  /// Reduces up to `limit` records of the log and, once all are reduced, tells subscribers to
  /// restart if that is due; returns the number of records.
  func catchUp(from snapshot: borrowing Snapshot, atMost limit: Int) throws -> Int {
    let count = try reduce(from: snapshot, atMost: limit)
    // The records that the log's thread is writing may already be reduced.
    if isStale, applied.number >= snapshot.last { try resetLookers() }
    return count
  }

  /// Reduces records from the log, none after `last`; returns their number.
  ///
  /// `telling` is called while the records' changes are still known.
  ///
  /// - Throws: ``LogError/compacted(floor:)`` if the following records were compacted before they
  ///   were reduced.
  func reduce(
    from snapshot: borrowing Snapshot, atMost limit: Int, through last: RecordNumber? = nil,
    telling: () throws -> Void = {}
  ) throws -> Int {
    let last = min(last ?? snapshot.last, snapshot.last)
    guard applied.number < last else { return 0 }
    var pass = LogPass(after: applied, atMost: limit, through: last, without: skipped)
    try reduceBatch(telling) {
      try pass.run(over: snapshot, by: reducer, into: &state, &journal, &refused)
    }
    if pass.count > 0 { settled = applied.number }
    return pass.count
  }

  /// Reduces, as one batch, records outside any log that `body` passes one by one; `telling` is
  /// called while their changes are still known.
  func reduceLoose(
    _ end: LogPoint, telling: () throws -> Void = {},
    _ body: ((borrowing RecordView) throws -> Void) throws -> Void
  ) throws {
    try reduceBatch(telling) {
      try body { record throws in
        try state.fold(record, by: reducer, without: skipped, &journal, &refused)
      }
      return end
    }
  }

  /// Throws if the views are unusable.
  func requireWhole() throws {
    if let failure { throw failure }
  }

  /// Runs `body` as one batch.
  private func reduceBatch(
    _ telling: () throws -> Void = {}, _ body: () throws -> LogPoint
  ) throws {
    try requireWhole()
    rowsAtHand = nil
    try failing { try endBatch(at: body(), telling) }
  }

  /// Makes the workspace unusable if `body` fails.
  func failing(_ body: () throws -> Void) throws {
    do { try body() } catch {
      failure = error
      throw error
    }
  }

  /// Ends a batch; whoever looks at views is told before its last event is noted for the others and
  /// these are brought up to date.
  private func endBatch(at end: LogPoint, _ telling: () throws -> Void) throws {
    let isTold = !hub.isEmpty && !isStale && !isSilent
    if isTold { try state.settleAhead(hub.watched) }
    applied = end
    if isTold { try deliver() }
    state.passEvent(noting: &journal)
    journal.advance(to: end.number.rawValue)
    try state.lists.settle(state.shelves)
    try telling()
    state.endBatch()
    state.lists.endBatch()
  }
}

extension Workspace {
  /// Returns the rows of a view's collection.
  func shelf(of view: Int) -> Shelf { state.shelves[Int(state.lists.views[view].collection)] }

  /// Returns a view's plan.
  func plan(of view: Int) -> ViewPlan { state.lists.views[view].plan }

  /// Returns a row as it is now.
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

  /// Ends the frame and returns the changes to commit.
  func freeze() throws(LMDBError) -> Frame {
    let rows = state.shelves.map { $0.table.freeze() }
    state.endFrame()
    let names = state.names.freeze()
    let journal = try journal.freeze()
    let nodes = state.lists.freeze()
    let removals = former.takeNodes()
    (frozenRefused, refused) = (refused, [])
    frozenNumber = applied.number
    return Frame(
      applied: applied, names: names, rows: rows, nodes: nodes, removals: removals,
      journal: journal, refused: frozenRefused,
      meta: ViewsMeta(
        applied: applied, store: store, totals: rows.map { ($0.collection.number, $0.totals) },
        views: state.lists.kept.map(\.meta), former: former),
      mark: mark)
  }

  /// The mark that sums up rows and views.
  var mark: FrameMark { FrameMark(applied.number, state.shelves, state.lists.kept) }

  /// Notes that the frame is committed.
  func committed() throws(LMDBError) {
    try base?.reader.renew()
    for shelf in state.shelves { shelf.table.committed() }
    state.names.committed()
    journal.committed()
    state.lists.committed()
    frozenRefused = []
    settled = max(settled, frozenNumber)
  }

  /// Forgets the pending news of this frame.
  func forgetNews() { journal.forget() }

  /// Releases the file so that it can grow; the next read starts afresh.
  func endReading() { base?.reader.end() }
}
