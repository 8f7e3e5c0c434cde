import EventStore
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Streams that a server reports changes in by itself, and how often one is asked for that ends
/// again and again.
@Suite(.timeLimit(.minutes(5))) struct FollowedStreamTests {
  /// Returns how often a stream was followed by a server that ends it with each of some results.
  ///
  /// - Parameters:
  ///   - seconds: How long the stream is followed.
  ///   - second: When the app comes to the foreground again, if it does.
  private func follows(
    for seconds: Int, _ results: [Result<Answer, ServerFailure>], returningAt second: Int? = nil
  ) async throws -> Int {
    var abilities = ServerAbilities.sink
    abilities.streams = [ServerStream("deltas", [.thread], by: .changes, pageMax: .max)]
    abilities.streams[0].isFollowed = true
    var count = 0
    try await Bench.with(abilities) { bench in
      var actions = try await bench.take(.began)
      for now in 0..<seconds {
        while let id = actions.asked.first {
          let answer = Answer { $0.cursor = "c1" }
          actions = try await bench.take(.answered(id, .success(answer)))
        }
        if actions.contains(where: { if case .follow = $0 { true } else { false } }) {
          count += 1
          for result in results { actions = try await bench.take(.followed(0, result)) }
          if actions.areAuthorizing { try await bench.take(.authorized) }
          try await bench.take(.unfollowed(0))
        }
        bench.desk.advance(by: 1)
        actions = now == second ? try await bench.take(.foreground(true)) : []
        actions += try await bench.take(.due)
      }
    }
    return count
  }

  /// Whatever it says that can't be read, there is nothing new.
  @Test(.feature(29)) func streamWithoutNews_isAskedForLessAndLess() async throws {
    let unreadable = Answer {
      $0.refused = [ItemRefused { $0.reason = "not a change" }]
      $0.cursor = "c1"
    }
    let repeated = Answer {
      $0.facts = [ObjectFact(.thread, ObjectFields { $0.put(.id, "a") })]
      $0.cursor = "c1"
    }
    for answer in [unreadable, repeated] {
      let count = try await follows(for: 120, [.success(answer)])
      #expect((4...24).contains(count), "\(count)")
    }
  }

  @Test(.feature(29)) func streamWithNews_isAskedForSoon() async throws {
    let news = Answer {
      $0.facts = [ObjectFact(.thread, ObjectFields { $0.put(.id, "a") })]
      $0.cursor = "c2"
    }
    let count = try await follows(for: 60, [.success(news)])
    #expect(count >= 20, "\(count)")
  }

  /// A framework says in HTML that there is no such stream, as a proxy might for a while; another
  /// takes tokens elsewhere, but not here.
  @Test(.feature(29), arguments: [401, 403, 404, 405, 501] as [Int64])
  func streamThatIsMissing_isNotAskedForAgain(status: Int64) async throws {
    let reason: ServerFailure.Reason = status == 401 ? .unauthorized : .server
    let missing = ServerFailure(reason, status: status)
    #expect(try await follows(for: 400, [.failure(missing)]) == 8)
  }

  /// Somebody who comes back may find it there.
  @Test(.feature(29)) func streamThatWasMissing_isTriedAgain_inTheForeground() async throws {
    let missing = ServerFailure(.server, status: 404)
    #expect(try await follows(for: 800, [.failure(missing)], returningAt: 400) == 16)
  }

  @Test(.feature(29)) func streamThatFails_isAskedForAgain() async throws {
    let failing = ServerFailure(.server, status: 503)
    #expect(try await follows(for: 400, [.failure(failing)]) > 12)
  }

  /// The server's own reports are shown, and the next synchronization knows how far the stream was
  /// read.
  @Test(.feature(29)) func stream_isFollowedBehindARefresh_andMovesTheCursor() async throws {
    let (stream, feed) = AsyncStream<Result<Answer, ServerFailure>>.makeStream()
    let server = StreamingServer(stream) { question in
      Answer { if case .cursor = question { $0.cursor = "c0" } }
    }
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      let notices = inbox.notices
      sync.start()
      try await sync.status { $0.isLive }
      while server.followed.isEmpty { await Task.yield() }
      #expect(server.followed == ["c0"])
      feed.yield(
        .success(
          Answer {
            $0.facts = [ObjectFact(.message, ObjectFields { $0.put(.id, "m") })]
            $0.cursor = "c1"
          }))
      for await notice in notices where notice == .newMessages(ids: ["m"]) { break }
      sync.stop()
      let next = Sync(inbox, with: server)
      next.start()
      try await next.status { $0.isLive }
      #expect(server.asked.contains(.changes(stream: "deltas", since: "c1", limit: 16)))
      next.stop()
    }
  }

  /// A server whose stream brings nothing.
  private func quietServer() -> StreamingServer {
    StreamingServer(AsyncStream { _ in }) { question in
      Answer { if case .cursor = question { $0.cursor = "c0" } }
    }
  }

  /// A change of networks ends the connection on which a stream would hang.
  @Test func stream_isFollowedAnew_whereTheNetworkWasGone() async throws {
    let server = quietServer()
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      while server.followed.isEmpty { await Task.yield() }
      sync.note(.network(false))
      sync.note(.network(true))
      while server.followed.count == 1 { await Task.yield() }
      #expect(server.followed == ["c0", "c0"])
      sync.stop()
    }
  }

  @Test func stream_isNotFollowedInTheBackground() async throws {
    let server = quietServer()
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.isLive }
      while server.followed.isEmpty { await Task.yield() }
      sync.note(.foreground(false))
      try await sync.status { !$0.isLive }
      #expect(server.followed == ["c0"])
      sync.note(.foreground(true))
      try await sync.status { $0.isLive }
      while server.followed.count == 1 { await Task.yield() }
      #expect(server.followed == ["c0", "c0"])
      sync.stop()
    }
  }
}

/// A server that reports changes by itself.
private final class StreamingServer: Server {
  private let base: PlayedServer
  private let stream: @Sendable () -> AsyncStream<Result<Answer, ServerFailure>>
  private let cursors = Mutex<[String]>([])

  init(
    _ stream: @autoclosure @escaping @Sendable () -> AsyncStream<Result<Answer, ServerFailure>>,
    onQuestion: @escaping @Sendable (Question) throws(ServerFailure) -> Answer
  ) {
    self.stream = stream
    var abilities = ServerAbilities.mail
    abilities.streams[0].isFollowed = true
    base = PlayedServer(abilities, onQuestion: onQuestion)
  }

  var abilities: ServerAbilities { base.abilities }
  var asked: [Question] { base.asked }
  var followed: [String] { cursors.withLock { $0 } }

  func answer(_ question: Question, token: Token?) async throws(ServerFailure) -> Answer {
    try await base.answer(question, token: token)
  }

  func perform(
    _ request: ServerRequest, token: Token?
  ) async throws(ServerFailure) -> Settlement {
    try await base.perform(request, token: token)
  }

  func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>> {
    cursors.withLock { $0.append(cursor) }
    return self.stream()
  }
}
