import EventStore
import Synchronization

/// The spool of a store, and what it is told of whom pushes concern.
///
/// All of it blocks for the disk.
final class Letterbox: Sendable {
  private struct State {
    var spool: Spool?
    /// How many logouts are being recorded.
    var leavers = 0
    /// Ends the watching of the spool, where it is watched.
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

  /// The spool.
  func spool() throws(LogError) -> Spool {
    try state.withLock { state throws(LogError) in try state.open(path) }
  }

  /// Calls `onArrival` whenever there is something in the spool that was not there before.
  func watch(onArrival: @escaping @Sendable () -> Void) throws(LogError) {
    try state.withLock { state throws(LogError) in
      guard state.endWatching == nil else { return }
      state.endWatching = try state.open(path).watch(onArrival: onArrival)
    }
  }

  /// Watches the spool no longer.
  func endWatching() { state.withLock { $0.endWatching.take() }?() }

  deinit { endWatching() }

  /// Has pushes concern nobody, as a logout is to be recorded.
  func beginLeaving() throws(LogError) {
    try state.withLock { state throws(LogError) in
      try state.open(path).address(to: .nobody)
      state.leavers += 1
    }
  }

  /// Has pushes concern whom the log says again, as a logout was recorded or was not.
  func endLeaving() { state.withLock { $0.leavers -= 1 } }

  /// Has pushes concern whom the log says, or nobody while a logout is being recorded.
  func address(to recipient: () throws -> Recipient) throws {
    try state.withLock { state in
      try state.open(path).address(to: state.leavers > 0 ? .nobody : try recipient())
    }
  }
}

extension Spool {
  /// Has what comes concern somebody, which costs a flush where it was somebody else before.
  fileprivate func address(to recipient: Recipient) throws(LogError) {
    if self.recipient() != recipient { try setRecipient(recipient) }
  }
}
