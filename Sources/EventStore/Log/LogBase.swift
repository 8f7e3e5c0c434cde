/// What a log's records stand on: the last number that was compacted away, the chain there, and
/// what stands for it all.
struct LogBase: Hashable, Sendable {
  /// The floor.
  let number: RecordNumber
  /// The chain at the floor.
  let chain: Chain
  /// What stands for the records up to the floor, where they were compacted.
  var baseline: Baseline?
  /// Whether there may be records behind the log's last, of a baseline that comes, stays or goes.
  var usesAreas = false
  /// How often payloads were erased.
  var erasures: UInt64 = 0
  /// Which copy of the store it is.
  var incarnation: StoreID

  /// The floor as a place.
  var floor: Applied { Applied(number: number, chain: chain.value) }

  /// The place before all records.
  var beginning: Applied { baseline?.beginning ?? floor }
}
