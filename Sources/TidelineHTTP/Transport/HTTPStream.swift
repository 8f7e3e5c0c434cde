import EventStore
import Synchronization

/// An answer whose head has come, and whose body is taken as it comes; for one reader.
///
/// Whoever lets go of it has no more of it sent.
package final class HTTPStream: Sendable {
  /// The answer without a body.
  package let head: HTTPAnswer
  private let inflow: Inflow
  private let cancel: @Sendable () -> Void

  /// One whose body flows in, and that ends what sends it by `cancel`.
  package init(
    _ head: HTTPAnswer, _ inflow: Inflow, cancel: @escaping @Sendable () -> Void = {}
  ) {
    self.head = head
    self.inflow = inflow
    self.cancel = cancel
  }

  deinit { cancel() }

  /// The pieces that have come since it was asked last, or else the next; `nil` behind the last.
  package func next() async throws(HTTPFailure) -> [[UInt8]]? { try await inflow.next() }

  /// The answer with its body.
  ///
  /// - Throws: ``HTTPFailure/tooLong(limit:)`` where it has more bytes than that.
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

/// Where the body of an answer comes in, until somebody takes it.
package final class Inflow: Sendable {
  private struct State {
    var waiting = 0
    var failure: HTTPFailure?
  }

  private let bytesMax: Int
  private let tray = Tray<[[UInt8]]> { $0 + $1 }
  private let state = Mutex(State())

  /// One in which so many bytes may wait.
  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Takes in a piece; returns whether more is wanted, which it is not where too much waits.
  package func put(_ piece: [UInt8]) -> Bool {
    let isTooMuch = state.withLock { state in
      state.waiting += piece.count
      return state.waiting > bytesMax
    }
    if isTooMuch { end(.tooLong(limit: bytesMax)) } else { tray.put([piece]) }
    return !isTooMuch
  }

  /// Ends it behind what waits; of several ends the first counts.
  package func end(_ failure: HTTPFailure?) {
    state.withLock { $0.failure = $0.failure ?? failure }
    tray.finish()
  }

  fileprivate func next() async throws(HTTPFailure) -> [[UInt8]]? {
    if let pieces = await tray.take() {
      state.withLock { $0.waiting -= pieces.reduce(0) { $0 + $1.count } }
      return pieces
    }
    if Task.isCancelled { throw .cancelled }
    if let failure = state.withLock(\.failure) { throw failure }
    return nil
  }
}
