import LMDB

/// Rows and views of records that are in memory alone: what a store would show of them.
///
/// For simulations, which have thousands of stores and no disk. It is not for two threads at once.
package final class MemoryStore {
  private let definitions: Definitions
  private let workspace: Workspace
  private let key: FingerprintKey

  /// One without records.
  ///
  /// - Parameter seed: What its secrets are drawn from.
  package init(_ reducer: some Reducer, using seed: inout some RandomNumberGenerator)
    throws(StoreError)
  {
    let store = StoreID(using: &seed)
    key = FingerprintKey(using: &seed)
    definitions = Definitions(reducer, seed: seed.next())
    let beginning = Applied(number: .zero, chain: Chain(of: store).value)
    do {
      workspace = try Workspace(definitions, of: store, from: beginning, over: nil)
      try workspace.buildMissingViews()
    } catch { throw StoreError(error, path: Self.path) }
  }

  private static let path = "memory"

  /// The rows and lists behind the last record.
  package var views: StoreSnapshot { StoreSnapshot(workspace, definitions) }

  /// The last record.
  package var last: RecordNumber { workspace.applied.number }

  /// The events that were refused.
  package var refused: [RefusedEvent] { workspace.refused }

  /// What rows and views are together.
  package var mark: FrameMark { workspace.mark }

  /// By what a record names what it is about.
  package var fingerprint: @Sendable (String) -> Fingerprint {
    { [key] name in Fingerprint(rawValue: key.fingerprint(of: name)) }
  }

  /// Takes in records behind all others; returns their numbers.
  ///
  /// What several of them add is sketched first, as it is where they wait for their turn.
  ///
  /// - Complexity: As reducing them has, and O(bytes).
  /// - Precondition: The batch is not empty.
  /// - Throws: ``StoreError``; it is of no use any more then.
  @discardableResult
  package func append(_ batch: Batch) throws(StoreError) -> ClosedRange<RecordNumber> {
    let start = workspace.applied
    var records = WrittenRecords(
      batches: [batch], receipts: [], start: start, end: batch.end(behind: start))
    if batch.count > 1 { records.sketches = [RowSketches(of: records, by: definitions.reducer)] }
    do { _ = try workspace.reduce(records) } catch { throw StoreError(error, path: Self.path) }
    return start.number.advanced(by: 1)...records.end.number
  }

  /// Checks everything that must hold of rows and views, as ``Store/checkInvariants()`` does.
  ///
  /// - Complexity: O(everything)
  package func checkInvariants() throws(StoreError) {
    do { try workspace.checkInvariants() } catch { throw StoreError(error, path: Self.path) }
  }
}
