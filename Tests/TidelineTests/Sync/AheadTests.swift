import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// What is sent to a server that takes many operations at once, beside the result of a request that
/// is not recorded yet.
@Suite(.timeLimit(.minutes(5))) struct AheadTests {
  /// Runs `body` with a bench whose server takes two operations at once, in one request at a time.
  private static func withPairs(_ body: (Bench) async throws -> Void) async throws {
    var abilities = ServerAbilities.rich
    (abilities.partsMax, abilities.requestsMax) = (2, 1)
    try await Bench.with(abilities, .engage, body)
  }

  /// A request waits until its start is visible, so the start precedes what the views take long to
  /// show.
  @Test(.feature(49)) func nextRequest_isBegun_beforeAResultIsRecorded() async throws {
    try await Self.withPairs { bench in
      try await bench.inbox.perform(.markAllRead(RichMessage.self))
      let first = try #require(try await bench.sent().first)
      let actions = try bench.decide(.performed(first.id, bench.done(first.request)))
      let kinds = actions.filter { $0.isRecording || $0.isSending }
      #expect(kinds.map(\.name) == ["begin", "take", "send"])
      let ids = (first.request.parts + actions.requests.flatMap(\.request.parts)).map(\.id)
      #expect(ids.count == 3 && Set(ids) == ["r1", "r2", "r3"])
    }
  }

  /// What the result of a request says about an object must be visible before more is sent for it.
  @Test(.feature(49)) func objectsOfAResult_wait_untilItIsVisible() async throws {
    try await Self.withPairs { bench in
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r1"]))
      let reading = try #require(try await bench.sent().first)
      try await bench.inbox.perform(.delete(RichMessage.self, ["r1"]))
      try await bench.inbox.perform(.delete(RichMessage.self, ["r2"]))
      let result = SyncEvent.performed(reading.id, bench.done(reading.request))
      let ahead = try bench.decide(result)
      #expect(ahead.requests.flatMap(\.request.parts).map(\.id) == ["r2"])
      for case .take(_, let events, _) in ahead {
        for event in events {
          try await bench.inbox.record(event, epoch: bench.machine.login.epoch, at: bench.desk.now)
        }
      }
      let other = try #require(ahead.requests.first)
      let next = try await bench.sent(.performed(other.id, bench.done(other.request)))
      #expect(next.flatMap(\.request.parts).map(\.id) == ["r1"])
      #expect(next.flatMap(\.request.parts).map(\.wanted) == [.deletion])
    }
  }
}

extension Bench {
  /// Returns the actions for an event, of which nothing is recorded.
  fileprivate func decide(_ event: SyncEvent) throws -> [SyncAction] {
    let now = desk.now.kept
    return try inbox.store.core.read { try machine.take(event, $0, at: now) }
  }
}

extension SyncAction {
  fileprivate var isSending: Bool { if case .send = self { true } else { false } }

  fileprivate var name: String {
    switch self {
    case .begin: "begin"
    case .take: "take"
    case .send: "send"
    default: "other"
    }
  }
}
