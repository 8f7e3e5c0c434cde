import LMDB

/// The replacement for the records up to a floor: some of them, as they were or rewritten, with
/// their own chain.
package struct Baseline: Hashable, Sendable {
  /// The area of its records; see ``KeySpace``.
  let area: UInt64
  /// The chain before its first record.
  let start: Chain
  /// The number of its records.
  package var count: UInt64 = 0
  /// The chain at its last record.
  var end: Chain

  /// Creates a baseline with a record count and the chain at its last record.
  package init(
    upTo floor: RecordNumber, of store: StoreID, in area: UInt64, count: UInt64, end: UInt32
  ) {
    self.init(upTo: floor, of: store, in: area)
    (self.count, self.end) = (count, Chain(end))
  }

  /// Creates a baseline without records.
  init(upTo floor: RecordNumber, of store: StoreID, in area: UInt64) {
    self.area = area
    start = Chain(Checksum.of(floor.rawValue, store.bytes.raw))
    end = start
  }

  /// The place before its first record.
  var beginning: LogPoint { LogPoint(number: .zero, chain: start.value) }
}
