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

    /// Lets go of a view, which is gone where it is not the reducer's and nobody else holds it.
    mutating func release(_ view: Int) {
      if hub.release(view) { workspace?.state.lists.vacate(view) }
    }
  }

  private let content = Monitor(Content())

  /// Runs `body` with the views to itself; `nil` where there are none.
  func with<R, E: Error>(_ body: (Workspace) throws(E) -> R) throws(E) -> R? {
    try content.withLock { content throws(E) in
      guard let workspace = content.workspace else { return nil }
      return try body(workspace)
    }
  }

  /// Whether somebody waits for the views.
  var isWanted: Bool { content.isWanted }

  /// Returns once those have had the views who waited for them, or soon anyway.
  func giveWay() { content.giveWay() }

  /// Runs `body` with the views to itself; `nil` where there are none, or someone else has them,
  /// and has them still a moment later.
  func withIfAvailable<R, E: Error>(
    within moment: Duration = .zero, _ body: (Workspace) throws(E) -> R
  ) throws(E) -> R? {
    let result = try content.withLockIfAvailable(within: moment) { content throws(E) -> R? in
      guard let workspace = content.workspace else { return nil }
      return try body(workspace)
    }
    return result ?? nil
  }

  /// Shows other views from now on, and tells who looks what is different.
  func install(_ workspace: sending Workspace, _ log: Log) throws {
    let installed = workspace
    // What takes long is done while who looks needn't wait for it.
    try installed.adopt(content.withLock { $0.hub.transients })
    try content.withLock { content in
      let delivered = content.workspace?.position ?? content.delivered
      content.workspace?.endReading()
      installed.hub = content.hub
      try installed.adopt(content.hub.transients)
      let hub = content.hub
      installed.state.lists.vacateAll { hub.transients[$0] == nil }
      installed.isShown = true
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
  func removeLooker(_ id: UInt64) {
    content.withLock { content in
      if let view = content.hub.remove(id) { content.release(view) }
    }
  }

  /// Lets go of a view that was held.
  func release(_ view: Int) { content.withLock { $0.release(view) } }
}
