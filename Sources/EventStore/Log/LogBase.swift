/// The base of a log's records: the last number that was compacted away, the chain there, and the
/// replacement for those records.
struct LogBase: Hashable, Sendable {
  /// The floor.
  let number: RecordNumber
  /// The chain at the floor.
  let chain: Chain
  /// The replacement for the records up to the floor, if they were compacted.
  var baseline: Baseline?
  /// Whether keys after the log's last record may hold records of a new, current or former
  /// baseline.
  var usesAreas = false
  /// The number of erasures of payloads.
  var erasures: UInt64 = 0
  /// The identity of this copy of the store.
  var incarnation: StoreID

  /// The floor as a place.
  var floor: LogPoint { LogPoint(number: number, chain: chain.value) }

  /// The place before all records.
  var beginning: LogPoint { baseline?.beginning ?? floor }
}
