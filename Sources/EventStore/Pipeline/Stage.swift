import LMDB

/// The views that are shown, and who looks at them.
///
/// Whoever has the lock may reduce or read.
///
/// It outlives the workspace: while a store is suspended there is none, but all who look stay.
final class Stage: Sendable {
  private struct Content {
    var workspace: Workspace?
    let hub = Hub()
    /// Up to where everything was delivered by views that are not shown any more.
    var delivered: Position?
    /// Whether what was delivered counts for nothing any more.
    var isStale = false
  }

  private let content = Monitor(Content())

  /// Runs `body` with the views to itself; `nil` where there are none.
  func with<R, E: Error>(_ body: (Workspace) throws(E) -> R) throws(E) -> R? {
    try content.withLock { content throws(E) in
      guard let workspace = content.workspace else { return nil }
      return try body(workspace)
    }
  }

  /// Runs `body` with the views to itself; `nil` where there are none, or someone else has them.
  func withIfAvailable<R, E: Error>(_ body: (Workspace) throws(E) -> R) throws(E) -> R? {
    let result = try content.withLockIfAvailable { content throws(E) -> R? in
      guard let workspace = content.workspace else { return nil }
      return try body(workspace)
    }
    return result ?? nil
  }

  /// Shows other views from now on, and tells who looks what is different.
  func install(_ workspace: sending Workspace, _ log: Log) throws {
    let installed = workspace
    try content.withLock { content in
      let delivered = content.workspace?.position ?? content.delivered
      content.workspace?.endReading()
      installed.hub = content.hub
      content.workspace = installed
      guard !content.isStale else {
        content.isStale = false
        return try installed.resetLookers()
      }
      try delivered.map { try installed.tellLookers(since: $0, log) }
    }
  }

  /// Has who looks begin anew with the views that are shown next, whatever was delivered before.
  func spoil() { content.withLock { $0.isStale = true } }

  /// Shows no views any more.
  func clear() {
    content.withLock { content in
      content.workspace?.endReading()
      content.delivered = content.workspace?.position ?? content.delivered
      content.workspace = nil
    }
  }

  /// Lets go of who looks.
  func removeLooker(_ id: UInt64) { content.withLock { $0.hub.remove(id) } }
}
