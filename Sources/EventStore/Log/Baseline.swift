import LMDB

/// What stands for the records up to a floor: a few of them, some as they were, some rewritten,
/// with a chain of their own.
package struct Baseline: Hashable, Sendable {
  /// Where its records stand; see ``KeySpace``.
  let area: UInt64
  /// The chain before its first record.
  let start: Chain
  /// How many records it has.
  package var count: UInt64 = 0
  /// The chain at its last record.
  var end: Chain

  /// A baseline of so many records, with this chain at the last.
  package init(
    upTo floor: RecordNumber, of store: StoreID, in area: UInt64, count: UInt64, end: UInt32
  ) {
    self.init(upTo: floor, of: store, in: area)
    (self.count, self.end) = (count, Chain(end))
  }

  /// A baseline without records.
  init(upTo floor: RecordNumber, of store: StoreID, in area: UInt64) {
    self.area = area
    start = Chain(Checksum.of(floor.rawValue, store.bytes.raw))
    end = start
  }

  /// The place before its first record.
  var beginning: Applied { Applied(number: .zero, chain: start.value) }
}
