import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// How often a stream is asked for that ends again and again.
@Suite(.timeLimit(.minutes(5))) struct FollowedStreamTests {
  /// Returns how often a stream was followed in so many seconds by a server that ends it with each
  /// of some results.
  private func follows(
    for seconds: Int, _ results: [Result<Answer, ServerFailure>]
  ) async throws -> Int {
    var abilities = ServerAbilities.sink
    abilities.streams = [ServerStream("deltas", [.thread], by: .changes, pageMax: .max)]
    abilities.streams[0].isFollowed = true
    var count = 0
    try await Bench.with(abilities) { bench in
      var actions = try await bench.take(.began)
      for _ in 0..<seconds {
        while let id = actions.asked.first {
          let answer = Answer { $0.cursor = "c1" }
          actions = try await bench.take(.answered(id, .success(answer)))
        }
        if actions.contains(where: { if case .follow = $0 { true } else { false } }) {
          count += 1
          for result in results { try await bench.take(.followed(0, result)) }
          try await bench.take(.unfollowed(0))
        }
        bench.desk.advance(by: 1)
        actions = try await bench.take(.due)
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
    let count = try await follows(for: 120, [.success(unreadable)])
    #expect((4...24).contains(count), "\(count)")
  }

  @Test(.feature(29)) func streamWithNews_isAskedForSoon() async throws {
    let news = Answer {
      $0.facts = [ObjectFact(.thread, ObjectFields { $0.put(.id, "a") })]
      $0.cursor = "c2"
    }
    let count = try await follows(for: 60, [.success(news)])
    #expect(count >= 20, "\(count)")
  }

  /// A framework says in HTML that there is no such stream, as a proxy might for a while.
  @Test(.feature(29), arguments: [404, 405, 501] as [Int64])
  func streamThatIsMissing_isNotAskedForAgain(status: Int64) async throws {
    let missing = ServerFailure(.server, status: status)
    #expect(try await follows(for: 200, [.failure(missing)]) == 4)
  }

  @Test(.feature(29)) func streamThatFails_isAskedForAgain() async throws {
    let failing = ServerFailure(.server, status: 503)
    #expect(try await follows(for: 200, [.failure(failing)]) > 6)
  }
}
