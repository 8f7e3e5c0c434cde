import EventStore
import Synchronization
import TidelineHTTP

/// The response to a request.
enum Outgoing {
  /// An answer; the connection may break in its middle.
  case answer(HTTPAnswer, isCut: Bool)
  /// Pieces of a body without a length, until `nil`, when the connection ends or breaks.
  case stream(isCut: Bool, () -> [UInt8]?)
}

/// Gets responses from a router, and waits if it has none yet.
///
/// It is used by many threads at a time, each of which may wait.
final class Attendant: Sendable {
  /// The maximum size of a request's body, in bytes.
  static let bodyBytesMax = (64 << 20) + (64 << 10)

  let router: Mutex<Router>
  /// Opens when the server stops.
  let ending = Latch()
  private let pace: ServerPace
  let now: @Sendable () -> Timestamp

  init(_ router: sending Router, _ pace: ServerPace, now: @escaping @Sendable () -> Timestamp) {
    self.router = Mutex(router)
    self.pace = pace
    self.now = now
  }

  /// Returns the response to a request, after any wait that the request needs.
  func outgoing(for request: HTTPRequest) -> Outgoing {
    let reply = router.withLock { $0.reply(to: request, at: now()) }
    if reply.delay > .zero { _ = ending.wait(reply.delay) }
    return switch reply.content {
    case .whole(let answer): .answer(answer, isCut: reply.isCut)
    case .long(let write): .answer(write(), isCut: reply.isCut)
    case .poll(let question): .answer(answer(to: question), isCut: reply.isCut)
    case .stream(let question): stream(of: question, isCut: reply.isCut)
    }
  }

  /// Checks for changes repeatedly until there are some or the time is up.
  private func answer(to question: DeltaQuestion) -> HTTPAnswer {
    let end = ContinuousClock.now + question.patience
    while true {
      let isLast = ContinuousClock.now >= end
      let answer = router.withLock { $0.answer(to: question, at: now(), isLast: isLast) }
      if let answer { return answer }
      let left = max(.zero, end - ContinuousClock.now)
      if ending.wait(min(pace.look, left)) { return HTTPAnswer(503) }
    }
  }

  private func stream(of question: DeltaQuestion, isCut: Bool) -> Outgoing {
    let pieces = pieces(for: question)
    guard isCut else { return .stream(isCut: false, pieces) }
    var hasBegun = false
    return .stream(isCut: true) {
      defer { hasBegun = true }
      return hasBegun ? nil : pieces().map { Array($0.prefix($0.count / 2)) }
    }
  }

  /// Returns lines as changes happen, and blank lines in between, until the time is up.
  private func pieces(for question: DeltaQuestion) -> () -> [UInt8]? {
    var question = question
    let end = ContinuousClock.now + question.patience
    var heard = ContinuousClock.now
    return { [self] in
      while ContinuousClock.now < end {
        let lines = router.withLock { $0.lines(for: &question, at: now()) }
        guard let lines else { return nil }
        guard lines.isEmpty, ContinuousClock.now < heard + pace.heartbeat else {
          heard = .now
          return lines.isEmpty ? [UInt8(ascii: "\n")] : lines
        }
        if ending.wait(pace.look) { return nil }
      }
      return nil
    }
  }
}

/// The intervals of a server's periodic work.
package struct ServerPace: Sendable, Hashable {
  /// The interval at which waiting requests check for changes.
  package var look = Duration.milliseconds(100)
  /// The interval of blank lines in a stream.
  package var heartbeat = Duration.seconds(1)

  /// Creates a pace of ten checks and one blank line per second.
  package init() {}
}
