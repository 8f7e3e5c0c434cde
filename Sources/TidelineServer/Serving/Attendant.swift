import EventStore
import Synchronization
import TidelineHTTP

/// What goes out for a request.
enum Outgoing {
  /// An answer, of which the connection may break in the middle.
  case answer(HTTPAnswer, isCut: Bool)
  /// Pieces of a body that has no length, until there is none, and the connection ends or breaks.
  case stream(isCut: Bool, () -> [UInt8]?)
}

/// Asks a router for what goes out, and waits where the router has nothing yet.
///
/// It is asked on many threads at a time, each of which may wait.
final class Attendant: Sendable {
  /// The bytes that a request may have.
  static let bodyBytesMax = 64 << 20

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

  /// What goes out for a request; it takes as long as the request has to wait.
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

  /// Looks again and again for what changed, until something has, or the time is up.
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

  /// Lines as things change, and blank ones while nothing does, until the time is up.
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

/// How often a server does something while nothing happens.
package struct ServerPace: Sendable, Hashable {
  /// How often it looks whether something has changed, for who waits for that.
  package var look = Duration.milliseconds(100)
  /// How often it sends a blank line in a stream.
  package var heartbeat = Duration.seconds(1)

  /// Ten looks a second, and a blank line each second.
  package init() {}
}
