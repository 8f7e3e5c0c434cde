import EventStore
import Synchronization

/// The spool of a store, and the recipient of pushes that the spool states.
///
/// All methods block on disk access.
final class PushSpool: Sendable {
  private struct State {
    var spool: Spool?
    /// The number of logouts being recorded.
    var leavers = 0
    /// Stops watching the spool, if it is watched.
    var endWatching: (@Sendable () -> Void)?

    mutating func open(_ path: String) throws(LogError) -> Spool {
      let spool = if let spool { spool } else { try Spool(at: path) }
      self.spool = spool
      return spool
    }
  }

  private let path: String
  private let state = Mutex(State())

  init(at path: String) { self.path = path }

  /// The spool, opened if needed.
  func spool() throws(LogError) -> Spool {
    try state.withLock { state throws(LogError) in try state.open(path) }
  }

  /// Calls `onArrival` whenever new items appear in the spool.
  func watch(onArrival: @escaping @Sendable () -> Void) throws(LogError) {
    try state.withLock { state throws(LogError) in
      guard state.endWatching == nil else { return }
      state.endWatching = try state.open(path).watch(onArrival: onArrival)
    }
  }

  /// Stops watching the spool.
  func endWatching() { state.withLock { $0.endWatching.take() }?() }

  deinit { endWatching() }

  /// Clears the recipient of pushes before a logout is recorded.
  func beginLeaving() throws(LogError) {
    try state.withLock { state throws(LogError) in
      try state.open(path).address(to: .nobody)
      state.leavers += 1
    }
  }

  /// Lets the log state the recipient again after a logout was recorded or failed.
  func endLeaving() { state.withLock { $0.leavers -= 1 } }

  /// Sets the recipient of pushes, or none while a logout is being recorded.
  func address(to recipient: () throws -> Recipient) throws {
    try state.withLock { state in
      try state.open(path).address(to: state.leavers > 0 ? .nobody : try recipient())
    }
  }
}

extension Spool {
  /// Sets the recipient of new items; costs a flush if it changes.
  fileprivate func address(to recipient: Recipient) throws(LogError) {
    if self.recipient() != recipient { try setRecipient(recipient) }
  }
}
