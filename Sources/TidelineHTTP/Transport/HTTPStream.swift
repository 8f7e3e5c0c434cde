import EventStore
import Synchronization

/// An answer whose head has arrived and whose body is read as it arrives; for one reader.
///
/// Releasing it cancels the rest of the answer.
package final class HTTPStream: Sendable {
  /// The answer without its body.
  package let head: HTTPAnswer
  private let inflow: Inflow
  private let cancel: @Sendable () -> Void

  /// Creates a stream that reads an inflow, and cancels its sender by `cancel`.
  package init(
    _ head: HTTPAnswer, _ inflow: Inflow, cancel: @escaping @Sendable () -> Void = {}
  ) {
    self.head = head
    self.inflow = inflow
    self.cancel = cancel
  }

  deinit { cancel() }

  /// Returns the pieces that have arrived since the last call, or waits for the next; `nil` at the
  /// end.
  package func next() async throws(HTTPFailure) -> [[UInt8]]? { try await inflow.next() }

  /// Returns the answer with its whole body.
  ///
  /// - Throws: ``HTTPFailure/tooLong(limit:)`` if the body exceeds the limit.
  package func whole(atMost bytesMax: Int) async throws(HTTPFailure) -> HTTPAnswer {
    var answer = head
    let length = head.headers["content-length"].flatMap { Int($0) }
    guard length ?? 0 <= bytesMax else { throw .tooLong(limit: bytesMax) }
    while let pieces = try await next() {
      for piece in pieces {
        if answer.body.isEmpty { answer.body = piece } else { answer.body += piece }
      }
      guard answer.body.count <= bytesMax else { throw .tooLong(limit: bytesMax) }
    }
    return answer
  }
}

/// A buffer for the body of an answer until it is read.
package final class Inflow: Sendable {
  private struct State {
    var waiting = 0
    var failure: HTTPFailure?
    var hasEnded = false
    /// Whether the sender pauses until there is room.
    var isPaused = false
  }

  /// The number of unread bytes at which a sender that can pauses.
  private static let fullBytes = 8 << 20

  private let bytesMax: Int
  private let onRoom: @Sendable () -> Void
  private let tray = Tray<[[UInt8]]> { $0 + $1 }
  private let state = Mutex(State())

  /// Creates an inflow with a limit on its unread bytes, for a sender that pauses until `onRoom` is
  /// called, or never.
  package init(bytesMax: Int, onRoom: @escaping @Sendable () -> Void = {}) {
    (self.bytesMax, self.onRoom) = (bytesMax, onRoom)
  }

  /// Pauses the sender by `pause` if much is unread; returns whether it pauses.
  ///
  /// It is told to go on when the reader has caught up, at the earliest after `pause`.
  @discardableResult
  package func pauseIfFull(_ pause: () -> Void = {}) -> Bool {
    state.withLock { state in
      guard state.waiting >= Self.fullBytes, !state.hasEnded else { return false }
      if !state.isPaused { pause() }
      state.isPaused = true
      return true
    }
  }

  /// Takes a piece; returns whether to continue, which is `false` above the limit.
  package func put(_ piece: [UInt8]) -> Bool {
    let isTooMuch = state.withLock { state in
      state.waiting += piece.count
      return state.waiting > bytesMax
    }
    if isTooMuch { end(.tooLong(limit: bytesMax)) } else { tray.put([piece]) }
    return !isTooMuch
  }

  /// Ends the inflow after its unread pieces; only the first end counts.
  package func end(_ failure: HTTPFailure?) {
    state.withLock { state in
      if !state.hasEnded { (state.hasEnded, state.failure) = (true, failure) }
    }
    tray.finish()
  }

  fileprivate func next() async throws(HTTPFailure) -> [[UInt8]]? {
    if let pieces = await tray.take() {
      noteRead(pieces.reduce(0) { $0 + $1.count })
      return pieces
    }
    if Task.isCancelled { throw .cancelled }
    if let failure = state.withLock(\.failure) { throw failure }
    return nil
  }

  /// Notes that some bytes were read, and lets the sender go on if there is room again.
  private func noteRead(_ count: Int) {
    state.withLock { state in
      state.waiting -= count
      guard state.isPaused, state.waiting < Self.fullBytes else { return }
      state.isPaused = false
      onRoom()
    }
  }
}
