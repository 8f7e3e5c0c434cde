import LMDB

/// The current state of a list, for computing what happened to it since some moment.
///
/// Keys are ranges in the buffer of a batch or of a stretch of the journal.
struct ListReader: ListSource {
  typealias Key = Range<Int>
  typealias Failure = any Error

  let workspace: Workspace
  /// The ranks of the list's rows in the view's index.
  let ranks: Range<Int>
  /// The rows' previous state, at the beginning of the stretch.
  let past: Past
  /// A source of current rows that saw only the last event.
  var witness: EventWitness?
  private let kept: KeptView
  /// The keys, with the rows that they belong to.
  private var ties: KeyTies

  /// The source of the rows' state at the beginning.
  enum Past {
    /// The tables, which know each row as it was when the batch began.
    case batch
    /// The journal, which knows which fields changed and their previous digests.
    case journal([RowID: RowDifference])
  }

  init(
    _ workspace: Workspace, _ view: Int, _ ranks: Range<Int>, _ past: Past, _ nets: NetTable,
    _ keys: KeyBuffer
  ) {
    self.workspace = workspace
    self.ranks = ranks
    self.past = past
    kept = workspace.state.lists.views[view]
    ties = KeyTies(UInt16(view), kept.plan, workspace.shelf(of: view), nets, keys)
    ties.isPastRemovals = true
  }

  func words(of key: Range<Int>) -> SortWords { ties.plan.words(in: ties.keys.bytes(at: key)) }

  func comesBefore(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    ties.plan.compare(ties.keys.bytes(at: a), ties.keys.bytes(at: b)) < 0
  }

  func count() -> Int { ranks.count }

  mutating func rank(of key: Range<Int>) throws -> Int {
    let key = IndexKey(words(of: key), token: key)
    return try kept.index.rank(of: key, &ties) - ranks.lowerBound
  }

  func row(at index: Int) throws -> Row {
    try row(kept.index.entry(at: ranks.lowerBound + index).row)
  }

  func row(_ id: RowID) throws -> Row {
    if let row = witness?.row(id, at: kept.collection) { return row }
    return try workspace.row(id, on: ties.shelf)
  }

  func trace(of id: RowID) throws -> RowTrace {
    let shelf = ties.shelf
    switch past {
    case .batch:
      let trace = try shelf.table.withRowAtBatchStart(id) { row -> RowTrace? in
        guard let row, row.isPresent else { return nil }
        return RowTrace(row, shelf.collection.shape)
      }
      guard let trace else { throw ViewsError.inconsistent("row \(id.rawValue) has no past") }
      return trace
    case .journal(let differences):
      return try shelf.table.withRow(id) { row -> RowTrace? in
        guard let row else { return nil }
        return RowTrace(row, shelf.collection.shape).before(differences[id] ?? RowDifference())
      } ?? RowTrace(id: "", digests: [])
    }
  }
}

extension RowTrace {
  /// Creates the trace of a row as it is now; if the row is deleted, all its fields are absent.
  init(_ row: RowView, _ shape: RowShape) {
    let isPresent = row.isPresent
    let digests = (0..<shape.fieldCount).map { field -> UInt64 in
      guard isPresent, shape.links & 1 << UInt64(field) == 0 else { return 0 }
      return shape.kind(of: field).map { row.digest(of: field, $0) } ?? 0
    }
    self.init(id: row.id.text ?? "", digests: digests)
  }
}
