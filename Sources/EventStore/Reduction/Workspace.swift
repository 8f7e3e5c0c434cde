import LMDB

/// Folds records into rows and views, and tells who looks at them.
///
/// The same whether it works on the views that are shown, on views that are being rebuilt, or on a
/// moment in the past: only what lies under it differs, and whether what it changed is committed.
/// It is not for two threads at once.
final class Workspace {
  /// Rows and views.
  var state: State
  /// Who looks.
  var hub = Hub()
  /// What changed, for who looks later.
  var journal: Journal
  /// Where the log stood when the last record was reduced.
  private(set) var applied: Applied
  /// The events that were refused since the last frame.
  var refused: [RefusedEvent] = []
  /// Whether who looks must begin anew, once everything is reduced again.
  var isStale = false
  /// Whether what is reduced was delivered before.
  var isSilent = false

  let definitions: Definitions
  let store: StoreID
  private(set) var base: ViewsBase?
  private let reducer: any Reducer
  private let beginning: Applied

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

  /// Drops all that was reduced, and every cache, for what a file holds now.
  func load(over next: ViewsBase?) throws {
    let loaded = try LoadedState(definitions, over: next, beginning: beginning)
    base = next
    applied = loaded.applied
    journal = loaded.journal
    state = loaded.state
    refused = []
    try buildMissingViews()
  }

  /// The position of the last record that was reduced.
  var position: Position {
    Position(store: store, number: applied.number, chain: applied.chain)
  }

  /// The bytes that the changes of this frame take.
  var byteCount: Int {
    state.shelves.reduce(state.lists.dirtyBytes + journal.dirtyBytes) { $0 + $1.table.dirtyBytes }
  }

  /// Reduces records that follow what was reduced; says whether they did.
  func reduce(_ records: WrittenRecords) throws -> Bool {
    guard records.start == applied else { return false }
    state.beginBatch()
    try records.forEach { record throws in try fold(record) }
    try endBatch(at: records.end)
    return true
  }

  /// Reduces records that the log holds, some at a time, and tells who looks to begin anew where
  /// that is due and everything has been reduced; says how many there were.
  func catchUp(from snapshot: borrowing Snapshot, atMost limit: Int) throws -> Int {
    let count = try reduce(from: snapshot, atMost: limit)
    if isStale, applied.number == snapshot.last { try resetLookers() }
    return count
  }

  /// Reduces records from the log, as far as a number where one is given; says how many.
  func reduce(
    from snapshot: borrowing Snapshot, atMost limit: Int, through last: RecordNumber? = nil
  ) throws -> Int {
    let first = applied.number.advanced(by: 1)
    guard first <= snapshot.last else { return 0 }
    var cursor = try snapshot.records(from: first)
    var (count, end) = (0, applied)
    state.beginBatch()
    let last = last ?? snapshot.last
    while count < limit, cursor.expected <= last {
      do throws(LogError) {
        guard try cursor.next() else { break }
      } catch {
        try skip(error)
        continue
      }
      try fold(cursor.record)
      end = Applied(number: cursor.number, chain: cursor.record.chain.value)
      count += 1
    }
    try endBatch(at: end)
    return count
  }

  /// Goes on behind a record that is damaged; nothing can be made of it.
  private func skip(_ error: LogError) throws(LogError) {
    guard case .damagedRecord(let number, _) = error else { throw error }
    refused.append(RefusedEvent(number: number, reason: error.description))
  }

  private func fold(_ record: borrowing RecordView) throws {
    var refusal = try tryToReduce(record)
    if state.wantsLists {
      // The lists are built from the rows as they were before the event, and it is tried again.
      state.wantsLists = false
      state.rollBackEvent()
      try buildMissingViews(after: record.number.advanced(by: -1))
      refusal = try tryToReduce(record)
    }
    if !state.lists.isDeferred { journal.append(record.number.rawValue) }
    if let refusal = refusal ?? state.refusal {
      state.rollBackEvent()
      refused.append(RefusedEvent(number: record.number, reason: refusal.reason))
      return
    }
    state.endEvent()
    if let failure = state.failure { throw failure }
    if !state.lists.isDeferred { note() }
  }

  private func tryToReduce(_ record: borrowing RecordView) throws -> Refusal? {
    state.beginEvent()
    var refusal: Refusal?
    do throws(Refusal) { try reducer.reduce(record, into: &state) } catch { refusal = error }
    if let failure = state.failure { throw failure }
    return refusal
  }

  private func endBatch(at end: Applied) throws {
    try state.lists.settle(state.shelves)
    let start = position
    applied = end
    if !hub.isEmpty, !isStale, !isSilent { try deliver(from: start) }
    state.endBatch()
    state.lists.endBatch()
  }

  /// Notes what an event did to lists, for the indexes, the journal and who looks.
  private func note() {
    for (place, shelf) in state.shelves.enumerated() where shelf.table.touchedCount > 0 {
      shelf.table.forEachTouchedRow { row, before, now in
        note(row, UInt8(place), shelf.collection, before, now)
      }
    }
  }
}

extension Workspace {
  private func note(
    _ row: RowID, _ place: UInt8, _ collection: Collection, _ before: RowView?, _ now: RowView
  ) {
    let touched = journal.appendRow(row, from: before, to: now, of: collection)
    state.lists.note(row, of: place, before: before, now: now, touched: touched, in: &journal)
  }

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
    guard let row else { throw ViewsError.inconsistent("row \(id.rawValue) is in a view, but absent") }
    return row
  }

  /// Ends the frame: what is to be committed.
  func freeze() throws(LMDBError) -> Frame {
    let rows = state.shelves.map { $0.table.freeze() }
    let names = state.names.freeze()
    let journal = try journal.freeze()
    let nodes = state.lists.freeze()
    defer { refused = [] }
    return Frame(
      applied: applied, names: names, rows: rows, nodes: nodes, journal: journal, refused: refused,
      meta: ViewsMeta(
        applied: applied, store: store, totals: rows.map { ($0.collection.number, $0.totals) },
        views: state.lists.views.map(\.meta)))
  }

  /// Notes that the frame is committed.
  func committed() throws(LMDBError) {
    try base?.reader.renew()
    for shelf in state.shelves { shelf.table.committed() }
    state.names.committed()
    journal.committed()
    state.lists.committed()
  }

  /// Lets go of the file, so that it can grow; the next look into it begins anew.
  func endReading() { base?.reader.end() }
}
