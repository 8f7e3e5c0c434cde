/// The progress of rebuilding the views.
public struct RebuildProgress: Hashable, Sendable {
  /// The last record that is in the views.
  public let done: RecordNumber
  /// The last record of the log.
  public let last: RecordNumber
}
