/// What a compaction came to.
public struct CompactionReport: Hashable, Sendable {
  /// The last record that was compacted away.
  public let floor: RecordNumber
  /// How many records the baseline has that stands for those.
  public let recordCount: UInt64
}
