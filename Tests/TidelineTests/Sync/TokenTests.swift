import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// When a token is asked for, and the status meanwhile.
@Suite(.timeLimit(.minutes(5))) struct TokenTests {
  private static let refused = SyncEvent.Performed.failure(
    ServerFailure(.unauthorized, status: 401))
  /// The same, of the only part of a request.
  private static let partRefused = SyncEvent.Performed.success(
    Settlement([.failed(ServerFailure(.unauthorized, status: 401))]))

  /// A server that refuses every token is not asked again as fast as tokens come.
  @Test(.feature(50), arguments: [false, true])
  func serverThatTakesNoToken_isLeftAlone(isByParts: Bool) async throws {
    let refused = isByParts ? Self.partRefused : Self.refused
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let first = try #require(try await bench.sent().first)
      #expect(try await bench.take(.performed(first.id, refused)).areAuthorizing)
      #expect(try bench.status.obstacle == nil)
      let second = try #require(try await bench.sent(.authorized).first)
      #expect(try await !bench.take(.performed(second.id, refused)).areAuthorizing)
      #expect(try bench.status.obstacle == .unauthorized)
      #expect(try await !bench.take(.due).areAuthorizing)
      bench.desk.advance(by: 3)
      #expect(try await bench.take(.due).areAuthorizing)
      let third = try #require(try await bench.sent(.authorized).first)
      #expect(try bench.status.obstacle == .unauthorized)
      try await bench.take(.performed(third.id, bench.done(third.request)))
      #expect(try bench.status.obstacle == nil)
      try await bench.inbox.perform(.markRead(MailThread.self, ["b"]))
      let next = try #require(try await bench.sent().first)
      #expect(try await bench.take(.performed(next.id, refused)).areAuthorizing)
    }
  }

  /// A token expires now and then, which is no reason for a refresh to fail, unless there is none.
  @Test(.feature(50), arguments: [true, false])
  func refreshWhoseTokenExpired_goesOnWithTheNext(isThere: Bool) async throws {
    try await Bench.with(.mail) { bench in
      let asked = try await bench.take(.began).asked
      let question = try #require(asked.first)
      let refused = ServerFailure(.unauthorized, status: 401)
      let actions = try await bench.take(.answered(question, .failure(refused)))
      #expect(actions.areAuthorizing && actions.asked.isEmpty)
      #expect(try bench.status.isRefreshing)
      guard isThere else {
        try await bench.take(.unauthorized)
        #expect(try !bench.status.isRefreshing)
        return
      }
      let again = try await bench.take(.authorized).asked
      #expect(again.map(\.question) == [question.question])
      try await bench.take(.answered(again[0], .failure(refused)))
      #expect(try !bench.status.isRefreshing && bench.status.obstacle == .unauthorized)
    }
  }

  /// Requests refused together want one token, and nobody is sent to log in while it comes.
  @Test func token_isAskedForOnce() async throws {
    try await Bench.with { bench in
      for id in ["a", "b", "c"] { try await bench.inbox.perform(.markRead(MailThread.self, [id])) }
      let sent = try await bench.sent()
      try #require(sent.count == 3)
      #expect(try await bench.take(.performed(sent[0].id, Self.refused)).areAuthorizing)
      for event in [
        SyncEvent.performed(sent[1].id, Self.refused), .foreground(true), .wanted,
        .performed(sent[2].id, Self.refused),
      ] {
        #expect(try await !bench.take(event).areAuthorizing)
        #expect(try bench.status.obstacle == nil)
      }
      #expect(try await bench.sent(.authorized).count == 3)
    }
  }

  /// A token source may fail like anything else: it is asked again.
  @Test func tokenThatIsNotThere_isAskedForAgain() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let first = try #require(try await bench.sent().first)
      #expect(try await bench.take(.performed(first.id, Self.refused)).areAuthorizing)
      let actions = try await bench.take(.unauthorized)
      #expect(!actions.areAuthorizing && actions.wakeUps.contains { $0 != nil })
      #expect(try bench.status.obstacle == .unauthorized)
      bench.desk.advance(by: 1)
      #expect(try await bench.take(.due).areAuthorizing)
      try await bench.take(.unauthorized)
      #expect(try await bench.take(.online(true)).areAuthorizing)
      #expect(try await bench.sent(.authorized).count == 1)
      #expect(try bench.status.obstacle == nil)
    }
  }

  /// A process that a push has started refreshes, whether its token comes sooner or later.
  @Test func firstToken_isWaitedFor_byARefresh() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let (tokens, server) = (LateTokens(), PlayedServer(.rich))
      let sync = Sync(inbox, with: server, tokens: tokens)
      #expect(await sync.refresh() == .disabled)
      sync.start()
      let refresh = Task { try await sync.refreshed(byHand: false) }
      try await sync.status(where: \.isRefreshing)
      #expect(server.asked.isEmpty)
      tokens.give()
      let answer = try await refresh.value
      #expect(answer == .started || answer == .joined)
      #expect(!server.asked.isEmpty)
      sync.stop()
    }
  }

  /// Nobody is sent to log in because a token could not be fetched for a moment.
  @Test func tokenThatComesLater_isNoReasonToLogIn() async throws {
    try await Bench.with(.mail) { bench in
      bench.beginAnew(.mail)
      try await bench.take(.began)
      try await bench.take(.tokenDelayed)
      guard case .failing(let until)? = try bench.status.obstacle else {
        Issue.record("\(try bench.status)")
        return
      }
      #expect(try !bench.status.isRefreshing && until > bench.desk.now)
      bench.desk.advance(by: 2)
      #expect(try await bench.take(.due).areAuthorizing)
      #expect(try await bench.take(.authorized).questions == [.cursor(stream: "deltas")])
      #expect(try bench.status.obstacle == nil)
    }
  }

  /// What the error of a source means is told by its kind.
  @Test(arguments: [true, false]) func errorOfASource_isTold(isOfTheLine: Bool) async throws {
    struct Failing: TokenSource {
      let error: any Error
      func token(replacing refused: Token?) async throws -> Token? { throw error }
    }
    let error: any Error = isOfTheLine ? URLError(.timedOut) : CocoaError(.userCancelled)
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let sync = Sync(inbox, with: PlayedServer(.rich), tokens: Failing(error: error))
      sync.start()
      let status = try await sync.status { $0.obstacle != nil }
      #expect((status.obstacle == .unauthorized) == !isOfTheLine, "\(status)")
      sync.stop()
    }
  }

  /// A refresh ends where no token comes, and another begins with the token that does.
  @Test func refresh_ends_whereNoTokenComes() async throws {
    try await Bench.with(.mail) { bench in
      bench.beginAnew(.mail)
      #expect(try await bench.take(.began).questions.isEmpty)
      #expect(try bench.status.isRefreshing)
      try await bench.take(.unauthorized)
      #expect(try !bench.status.isRefreshing && bench.status.obstacle == .unauthorized)
      try await bench.take(.pushed)
      #expect(bench.machine.lastAnswer == .waiting)
      #expect(try await bench.take(.authorized).questions == [.cursor(stream: "deltas")])
    }
  }

  /// A request refused before the process ended is repeated with the first token of the next.
  @Test func firstToken_hasBeTriedAgainWhatWaitsForOne() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let first = try #require(try await bench.sent().first)
      try await bench.take(.performed(first.id, Self.refused))
      bench.beginAnew(.sink)
      let actions = try await bench.take(.began)
      #expect(actions.areAuthorizing && actions.requests.isEmpty)
      #expect(try await bench.sent(.authorized).count == 1)
    }
  }
}

extension Bench {
  /// Replaces the machine by one without a token, as in a new process.
  fileprivate func beginAnew(_ abilities: ServerAbilities) {
    var surroundings = Surroundings()
    surroundings.hasToken = false
    machine = SyncMachine(machine.login, abilities, in: surroundings, seed: 8)
  }
}

/// A source that waits for `give()`.
private final class LateTokens: TokenSource {
  private let (stream, feed) = AsyncStream<Void>.makeStream()

  func give() { feed.finish() }

  func token(replacing refused: Token?) async throws -> Token? {
    for await _ in stream {}
    return Token("t")
  }
}
