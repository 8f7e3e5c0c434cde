import EventStore
public import Foundation
import Synchronization
import Tideline
public import TidelineSync

/// A simulated server in the app's own process, for tests and previews without a network.
///
///     let server = PlayedServer(.mail, holding: 20, seed: 7)
///     let sync = Sync(inbox, with: server)
///     sync.start()
///     server.happen()
///     try await sync.refreshed()
///
/// It answers at once, and its state ends with it. The same seed gives the same content and the
/// same events. It accepts every token.
public final class PlayedServer: Server {
  /// The kind of server.
  public enum Kind: Sendable {
    /// A mailbox, for an inbox with the policy `.inbox`.
    case mail
    /// A rich inbox, for one with the policy `.marketingCloud`.
    case marketingCloud
    /// A rich inbox, for one with the policy `.engage`.
    case engage
  }

  fileprivate struct State {
    let server: any SimulatedServer
    let world: World
    let token: Token
    var dice: Dice
    var failure: ServerFailure?
    var requests = 0
  }

  /// The abilities of the server; it reports nothing unasked.
  public let abilities: ServerAbilities
  private let now: @Sendable () -> Date
  private let state: Mutex<State>

  /// Creates a server with some content.
  ///
  /// - Parameters:
  ///   - kind: The kind of server.
  ///   - count: The number of threads or rich messages, all from the last 90 days.
  ///   - seed: The seed of the content and of later events.
  ///   - now: The clock of the server; the inbox's, if a test has its own.
  /// - Complexity: O(count)
  public init(
    _ kind: Kind, holding count: Int = 0, seed: UInt64 = 0,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    let state = State(kind, count, seed, now().kept)
    var abilities = state.server.abilities
    for place in abilities.streams.indices { abilities.streams[place].isFollowed = false }
    self.abilities = abilities
    self.now = now
    self.state = Mutex(state)
  }

  /// The number of requests received, including failed ones.
  public var requestCount: Int { state.withLock { $0.requests } }

  /// Makes every later question and request fail; `nil` lets them succeed again.
  public func fail(with failure: ServerFailure?) { state.withLock { $0.failure = failure } }

  /// Makes an event happen that no device of this person caused, such as arriving mail; returns a
  /// description for people.
  @discardableResult
  public func happen() -> String? {
    state.withLock { [now] state in
      state.server.advance(to: now().kept)
      return state.world.step(using: &state.dice)?.line
    }
  }

  /// Returns the answer to a question.
  ///
  /// - Throws: `ServerFailure`, including the one set by `fail`.
  public func answer(
    _ question: Question, token: Token?
  ) async throws(ServerFailure) -> Answer {
    try ask { (server, token) throws(ServerFailure) in
      try server.answer(question, token: token)
    }
  }

  /// Returns the outcomes of the parts of a request.
  ///
  /// - Throws: `ServerFailure`, including the one set by `fail`.
  public func perform(
    _ request: ServerRequest, token: Token?
  ) async throws(ServerFailure) -> Settlement {
    try ask { (server, token) throws(ServerFailure) in
      try server.perform(request, token: token)
    }
  }

  private func ask<R: Sendable>(
    _ body: (any SimulatedServer, Token) throws(ServerFailure) -> R
  ) throws(ServerFailure) -> R {
    try state.withLock { [now] state throws(ServerFailure) in
      state.requests += 1
      if let failure = state.failure { throw failure }
      state.server.advance(to: now().kept)
      return try body(state.server, state.token)
    }
  }
}

extension PlayedServer.State {
  fileprivate init(_ kind: PlayedServer.Kind, _ count: Int, _ seed: UInt64, _ now: Timestamp) {
    let start = now.advanced(by: .seconds(-90 * 86_400))
    var dice = Dice(seed: seed)
    switch kind {
    case .mail:
      let mail = MailServer(at: start, seed: dice.next())
      mail.fill(threads: count, from: start, to: now, using: &dice)
      (server, token) = (mail, mail.token)
      world = World(mail: mail, isLifelike: true)
    case .marketingCloud, .engage:
      let rich = RichServer(
        kind == .engage ? .engage : .marketingCloud, at: start, seed: dice.next())
      token = Token("visitor")
      rich.visitors[token] = Visitor(device: "device", login: 1)
      rich.fill(count, from: start, to: now, using: &dice)
      server = rich
      world = World(rich: rich, isLifelike: true)
    }
    self.dice = dice
  }
}
