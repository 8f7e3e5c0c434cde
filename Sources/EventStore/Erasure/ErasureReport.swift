/// What an erasure came to.
public struct ErasureReport: Hashable, Sendable {
  /// How many payloads were erased.
  public let recordCount: UInt64
  /// Whether nothing of them is left in the log's folder.
  ///
  /// Not yet, where somebody reads a state of the log that has them: ``Log/finishUpkeep()`` tries
  /// again, as does opening the log.
  public let isWiped: Bool

  /// So many payloads, and whether nothing is left of them.
  package init(recordCount: UInt64, isWiped: Bool) {
    (self.recordCount, self.isWiped) = (recordCount, isWiped)
  }
}
