import LMDB

/// Rows and views of records held only in memory, as a store would show them.
///
/// It serves simulations with thousands of stores and no disk. It is not safe for concurrent use.
package final class MemoryStore {
  private let workspace: Workspace
  private let key: FingerprintKey

  /// Creates a store without records.
  ///
  /// - Parameter seed: The source of its secrets.
  package init(_ reducer: some Reducer, using seed: inout some RandomNumberGenerator)
    throws(StoreError)
  {
    let store = StoreID(using: &seed)
    key = FingerprintKey(using: &seed)
    let definitions = Definitions(reducer, seed: seed.next())
    let beginning = LogPoint(number: .zero, chain: Chain(of: store).value)
    do {
      workspace = try Workspace(definitions, of: store, from: beginning, over: nil)
      try workspace.buildMissingViews()
    } catch { throw StoreError(error, path: Self.path) }
  }

  private static let path = "memory"

  /// The rows and lists after the last record.
  package var views: StoreSnapshot { StoreSnapshot(workspace) }

  /// The rows after the last record.
  package var foldedRows: FoldedRows { FoldedRows(workspace, path: Self.path) }

  /// The last record.
  package var last: RecordNumber { workspace.applied.number }

  /// The refused events.
  package var refused: [RefusedEvent] { workspace.refused }

  /// The mark that sums up rows and views.
  package var mark: FrameMark { workspace.mark }

  /// Computes the fingerprint of a name in records.
  package var fingerprint: @Sendable (String) -> Fingerprint {
    { [key] name in Fingerprint(rawValue: key.fingerprint(of: name)) }
  }

  /// Appends records and returns their numbers.
  ///
  /// A batch of several is sketched first, as for records that wait for their turn; the sketches of
  /// 64 records stay in memory if one of their rows is used.
  ///
  /// - Complexity: As reducing them, plus O(bytes).
  /// - Precondition: The batch is not empty.
  /// - Throws: ``StoreError``; the store is then unusable.
  @discardableResult
  package func append(_ batch: Batch) throws(StoreError) -> ClosedRange<RecordNumber> {
    let start = workspace.applied
    var records = WrittenRecords(
      batches: [batch], receipts: [], start: start, end: batch.end(after: start))
    if batch.count > 1 {
      let book = SketchBook(for: records)
      book.sketch(records, by: workspace.reducer)
      records.sketches = [book]
    }
    do { _ = try workspace.reduce(records) } catch { throw StoreError(error, path: Self.path) }
    return start.number.advanced(by: 1)...records.end.number
  }

  /// Folds a baseline into a store without records, which is then at the floor.
  ///
  /// - Parameters:
  ///   - baseline: The records that replace all records up to the floor, in ascending order.
  ///   - floor: The last record that was compacted away.
  /// - Throws: ``StoreError``; the store is then unusable.
  package func restore(_ baseline: [Record], through floor: RecordNumber) throws(StoreError) {
    do {
      try workspace.reduce(baseline.map { LooseRecord($0) }, through: floor)
    } catch { throw StoreError(error, path: Self.path) }
  }

  /// Notes that this store takes the place of one that had more records, as after a setback.
  package func succeed(_ former: MemoryStore) {
    workspace.hub.setbacks = former.workspace.hub.setbacks
    workspace.hub.setbacks.add(downTo: last)
  }

  /// Checks all invariants of rows and views, as ``Store/checkInvariants()`` does.
  ///
  /// - Complexity: O(everything)
  package func checkInvariants() throws(StoreError) {
    do { try workspace.checkInvariants() } catch { throw StoreError(error, path: Self.path) }
  }
}
