import LMDB
import Synchronization

/// The views that are shown, and their observers.
///
/// The holder of the lock may reduce or read.
///
/// The stage outlives the workspace: a suspended store has none, but all observers stay.
final class Stage: Sendable {
  fileprivate struct Content {
    var workspace: Workspace?
    let hub = Hub()
    /// The source of the views that are shown, or were last.
    var source: ViewsSource?
    /// The position up to which views no longer shown have delivered everything.
    var delivered: Position?
    /// A record up to which the log certainly has what they delivered.
    var settled = RecordNumber.zero
    /// Whether what was delivered is void.
    var isStale = false

    /// Releases a view, which disappears if it isn't the reducer's and nobody else holds it.
    mutating func release(_ view: Int) {
      if hub.release(view) { workspace?.state.lists.vacate(view) }
    }

    /// Stops showing the current views, which may have notified some observers and not others.
    mutating func leave() {
      guard let left = workspace else { return }
      left.endReading()
      (delivered, settled) = (left.position, left.settled)
      isStale = isStale || left.isStale || left.failure != nil
      workspace = nil
    }
  }

  /// An observer or view to release.
  fileprivate enum Leaving {
    case looker(UInt64)
    case view(Int)
  }

  private let content = Monitor(Content())
  /// The releases that a holder of the views made meanwhile, such as from a callback.
  private let leaving = Mutex<[Leaving]>([])

  /// Runs `body` with exclusive access to the views; returns `nil` if there are none.
  ///
  /// - Precondition: It is not called within such a body, nor by what that calls.
  func with<R, E: Error>(_ body: (Workspace) throws(E) -> R) throws(E) -> R? {
    try locked { content throws(E) in
      guard let workspace = content.workspace else { return nil }
      return try body(workspace)
    }
  }

  /// The error that there are no views.
  struct Absence: Error {}

  /// Runs `body` with exclusive access to the views.
  ///
  /// A result of any type is passed on as it is; making it optional would take the type of the
  /// optional, which is looked up at run time.
  ///
  /// - Throws: ``Absence`` if there are no views; what `body` throws.
  /// - Precondition: As ``with(_:)``.
  func withPresent<R>(_ body: (Workspace) throws -> R) throws -> R {
    try locked { content throws in
      guard let workspace = content.workspace else { throw Absence() }
      return try body(workspace)
    }
  }

  /// The position of the views or, if there are none, up to which the last ones delivered
  /// everything.
  var position: Position? { locked { $0.workspace?.position ?? $0.delivered } }

  /// Whether another thread waits for the views.
  var isWanted: Bool { content.isWanted }

  /// Returns once the threads waiting for the views have had them, or after a short time anyway,
  /// and offers the processor to others.
  func giveWay() { content.giveWay() }

  /// Runs `body` with exclusive access to the views; returns `nil` if there are none, or if someone
  /// else still has them after `moment`.
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

  /// Shows other views from now on, and tells observers the differences.
  ///
  /// If what was delivered came from another copy of the log, something in it may since be erased,
  /// so observers are reset.
  func install(_ workspace: sending Workspace, of source: ViewsSource, _ log: Log) throws {
    let installed = workspace
    // Do the slow work while observers needn't wait for it.
    try installed.adopt(content.withLock { $0.hub.transients })
    try locked { content throws in
      content.leave()
      if let delivered = content.delivered, (try? log.holds(delivered)) != true {
        content.hub.setbacks.add(downTo: content.settled)
      }
      installed.hub = content.hub
      try installed.adopt(content.hub.transients)
      let hub = content.hub
      installed.state.lists.vacateAll { hub.transients[$0] == nil }
      installed.isShown = true
      let isOfOtherCopy = content.source.map { $0.incarnation != source.incarnation } ?? false
      let isSame = content.source == source
      installed.isStale = content.isStale || isOfOtherCopy
      content.isStale = false
      content.source = source
      content.workspace = installed
      guard !installed.isStale else { return try installed.resetLookers() }
      guard let delivered = content.delivered else { return }
      // If some observers are told and others not, the next views reset them all.
      try installed.failing { try installed.tellLookers(since: delivered, isSame: isSame, log) }
    }
  }

  /// Resets all observers when the next views are shown, whatever was delivered before.
  func spoil() { content.withLock { $0.isStale = true } }

  /// Stops showing views.
  func clear() { locked { $0.leave() } }

  private func locked<R, E: Error>(_ body: (inout Content) throws(E) -> R) throws(E) -> R {
    precondition(
      !content.isHeldByThisThread,
      "the store is read or looked at within `read`, `onChange` or a residue, which has its views")
    defer { seeOff() }
    return try content.withLock(body)
  }

  /// Removes an observer.
  func removeLooker(_ id: UInt64) { remove(.looker(id)) }

  /// Releases a view that was held.
  func release(_ view: Int) { remove(.view(view)) }

  /// Releases something, at once or, if the caller has the views, when it no longer has them.
  private func remove(_ leaving: Leaving) {
    guard !content.isHeldByThisThread else { return self.leaving.withLock { $0.append(leaving) } }
    // Destroying a callback may release more, which must not happen while the views are locked.
    let looker = content.withLock { $0.remove(leaving) }
    withExtendedLifetime(looker) {}
    seeOff()
  }

  /// Performs the releases that were made while the views were locked.
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
  /// Releases something; returns the removed observer, if any.
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
