/// How far making the views anew has come.
public struct RebuildProgress: Hashable, Sendable {
  /// The last record that is in the views.
  public let done: RecordNumber
  /// The last record of the log.
  public let last: RecordNumber
}
