/// The result of an erasure.
public struct ErasureReport: Hashable, Sendable {
  /// The number of erased payloads.
  public let recordCount: UInt64
  /// Whether nothing of the payloads is left in the log's folder.
  ///
  /// This is `false` if someone still reads a state of the log with the payloads;
  /// ``Log/finishUpkeep()`` and opening the log try again.
  public let isWiped: Bool

  /// Creates a report.
  package init(recordCount: UInt64, isWiped: Bool) {
    (self.recordCount, self.isWiped) = (recordCount, isWiped)
  }
}
