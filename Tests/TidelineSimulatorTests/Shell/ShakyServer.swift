import EventStore
import Foundation
import Synchronization
import Tideline
import TidelineSimulator
import TidelineSync

/// A mail server behind a slow and lossy network, used by many clients at once.
final class ShakyServer: Server {
  private struct State {
    let server: MailServer
    var dice: Dice
    var faultShare = 0
  }

  let abilities: ServerAbilities
  let clock: FastClock
  private let state: Mutex<State>

  init(_ clock: FastClock, threads: Int, tags: [String], seed: UInt64) {
    let server = MailServer(at: clock.now.kept, seed: seed)
    for tag in tags { server.addTag(tag) }
    for thread in 0..<threads { _ = server.receive("mail \(thread)", from: "a@x.com", in: nil) }
    (self.clock, abilities) = (clock, server.abilities)
    state = Mutex(State(server: server, dice: Dice(seed: seed)))
  }

  /// How many of a thousand messages get lost on the way to the server, and as many on the way
  /// back.
  var faultShare: Int {
    get { state.withLock { $0.faultShare } }
    set { state.withLock { $0.faultShare = newValue } }
  }

  /// The threads of the mailbox.
  var threads: [ServedThread] { state.withLock { $0.server.allThreads } }
  /// All messages and drafts.
  var messages: [ServedMessage] { state.withLock { $0.server.allMessages } }
  /// The operations carried out on request.
  var deeds: [Deed] { state.withLock { $0.server.deeds } }

  func answer(_ question: Question, token: Token?) async throws(ServerFailure) -> Answer {
    try await reach()
    return try await back { server throws(ServerFailure) in
      try server.answer(question, token: token)
    }
  }

  func perform(
    _ request: ServerRequest, token: Token?
  ) async throws(ServerFailure) -> Settlement {
    try await reach()
    return try await back { server throws(ServerFailure) in
      try server.perform(request, token: token)
    }
  }

  private func reach() async throws(ServerFailure) {
    let (wait, isLost) = draw()
    try? await Task.sleep(for: wait)
    if isLost { throw ServerFailure(.notSent) }
  }

  private func back<Result: Sendable>(
    _ body: (MailServer) throws(ServerFailure) -> Result
  ) async throws(ServerFailure) -> Result {
    let result = try state.withLock { state throws(ServerFailure) -> Result in
      state.server.advance(to: clock.now.kept)
      return try body(state.server)
    }
    let (wait, isLost) = draw()
    try? await Task.sleep(for: wait)
    if isLost { throw ServerFailure(.lostAnswer) }
    return result
  }

  private func draw() -> (wait: Duration, isLost: Bool) {
    state.withLock { state in
      (.microseconds(state.dice.number(0...3_000)), state.dice.happens(state.faultShare))
    }
  }
}

/// A fast clock, so that nobody waits for long.
struct FastClock: Sendable {
  private let start = ContinuousClock.now
  private let beginning = Date(timeIntervalSince1970: 1_750_000_000)
  /// The clock's speed, relative to real time.
  private let speed = 200.0

  var now: Date {
    beginning.addingTimeInterval((ContinuousClock.now - start) / .seconds(1) * speed)
  }

  func sleep(_ duration: Duration) async throws { try await Task.sleep(for: duration / speed) }
}

/// A source of one token.
struct Doorkeeper: TokenSource {
  func token(replacing refused: Token?) async -> Token? { Token("mail") }
}
