import EventStore
public import Foundation
import Synchronization
import Tideline
public import TidelineSync

/// A server that is played in the app's own process: for its tests and previews, without a network.
///
///     let server = PlayedServer(.mail, holding: 20, seed: 7)
///     let sync = Sync(inbox, with: server)
///     sync.start()
///     server.happen()
///     await sync.refresh()
///
/// It answers at once, and forgets everything when it is let go of. Whatever is drawn is the same
/// for the same seed: what it holds, and what happens. It takes every token.
public final class PlayedServer: Server {
  /// What it is a server of.
  public enum Kind: Sendable {
    /// Of a mailbox, for an inbox of the policy `.inbox`.
    case mail
    /// Of a rich inbox, for one of the policy `.marketingCloud`.
    case marketingCloud
    /// Of a rich inbox, for one of the policy `.engage`.
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

  /// What it can do; it tells of nothing by itself.
  public let abilities: ServerAbilities
  private let now: @Sendable () -> Date
  private let state: Mutex<State>

  /// A server that holds something.
  ///
  /// - Parameters:
  ///   - kind: What it is a server of.
  ///   - count: How many threads it holds, or rich messages, those of the last 90 days.
  ///   - seed: What that, and what happens later, is drawn from.
  ///   - now: Its clock: the inbox's, where a test has one of its own.
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

  /// How many requests it was sent, those that failed among them.
  public var requestCount: Int { state.withLock { $0.requests } }

  /// What every question and request fails with from now on; `nil` lets them succeed again.
  public func fail(with failure: ServerFailure?) { state.withLock { $0.failure = failure } }

  /// Has something happen there that no device of this person wanted, such as that mail comes;
  /// says what, for people.
  @discardableResult
  public func happen() -> String? {
    state.withLock { [now] state in
      state.server.advance(to: now().kept)
      return state.world.step(using: &state.dice)?.line
    }
  }

  /// What it answers to a question.
  ///
  /// - Throws: `ServerFailure`, and what it was told to fail with.
  public func answer(
    _ question: Question, token: Token?
  ) async throws(ServerFailure) -> Answer {
    try ask { (server, token) throws(ServerFailure) in
      try server.answer(question, token: token)
    }
  }

  /// What becomes of the parts of a request.
  ///
  /// - Throws: `ServerFailure`, and what it was told to fail with.
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
