/// The result of a compaction.
public struct CompactionReport: Hashable, Sendable {
  /// The last record that was compacted away.
  public let floor: RecordNumber
  /// The number of records in the baseline that replaces the compacted records.
  public let recordCount: UInt64
}
