import LMDB
import Synchronization

/// The views that are shown, and who looks at them.
///
/// Whoever has the lock may reduce or read.
///
/// It outlives the workspace: while a store is suspended there is none, but all who look stay.
final class Stage: Sendable {
  fileprivate struct Content {
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

    /// Shows the views no more that are shown, which may have told some and not others.
    mutating func leave() {
      guard let left = workspace else { return }
      left.endReading()
      delivered = left.position
      isStale = isStale || left.isStale || left.failure != nil
      workspace = nil
    }
  }

  /// What is let go of.
  fileprivate enum Leaving {
    case looker(UInt64)
    case view(Int)
  }

  private let content = Monitor(Content())
  /// What whoever has the views let go of meanwhile, such as by what he was told.
  private let leaving = Mutex<[Leaving]>([])

  /// Runs `body` with the views to itself; `nil` where there are none.
  ///
  /// - Precondition: It is not called within such a body, nor by what that calls.
  func with<R, E: Error>(_ body: (Workspace) throws(E) -> R) throws(E) -> R? {
    try locked { content throws(E) in
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
    defer { seeOff() }
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
    try locked { content throws in
      content.leave()
      installed.hub = content.hub
      try installed.adopt(content.hub.transients)
      let hub = content.hub
      installed.state.lists.vacateAll { hub.transients[$0] == nil }
      installed.isShown = true
      installed.isStale = content.isStale
      content.isStale = false
      content.workspace = installed
      guard !installed.isStale else { return try installed.resetLookers() }
      try content.delivered.map { try installed.tellLookers(since: $0, log) }
    }
  }

  /// Has who looks begin anew with the views that are shown next, whatever was delivered before.
  func spoil() { content.withLock { $0.isStale = true } }

  /// Shows no views any more.
  func clear() { locked { $0.leave() } }

  private func locked<R, E: Error>(_ body: (inout Content) throws(E) -> R) throws(E) -> R {
    precondition(
      !content.isHeldByThisThread,
      "the store is read or looked at within `read`, `onChange` or a residue, which has its views")
    defer { seeOff() }
    return try content.withLock(body)
  }

  /// Lets go of who looks.
  func removeLooker(_ id: UInt64) { remove(.looker(id)) }

  /// Lets go of a view that was held.
  func release(_ view: Int) { remove(.view(view)) }

  /// Lets go of something, at once or, where whoever has the views does, when he has them no more.
  private func remove(_ leaving: Leaving) {
    guard !content.isHeldByThisThread else { return self.leaving.withLock { $0.append(leaving) } }
    // What somebody is told with may let go of more: not while the views are taken.
    let looker = content.withLock { $0.remove(leaving) }
    withExtendedLifetime(looker) {}
    seeOff()
  }

  /// Lets go of what was let go of while the views were taken.
  private func seeOff() {
    guard !content.isHeldByThisThread else { return }
    let left = leaving.withLock { leaving in
      defer { leaving = [] }
      return leaving
    }
    left.forEach { remove($0) }
  }
}

extension Stage.Content {
  /// Lets go of something; what is returned was told.
  fileprivate mutating func remove(_ leaving: Stage.Leaving) -> AnyObject? {
    switch leaving {
    case .view(let view):
      release(view)
      return nil
    case .looker(let id):
      let (looker, view) = hub.remove(id)
      if let view { release(view) }
      return looker
    }
  }
}
