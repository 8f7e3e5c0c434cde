import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineSync

/// How long a server is left alone, and in what.
@Suite struct QuietTests {
  /// What a server wants holds whatever it answers, or does not answer, to what was under way.
  @Test(arguments: [false, true])
  func whatTheServerWants_holds(whereAnotherFails: Bool) async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      try await bench.inbox.perform(.markRead(MailThread.self, ["b"]))
      let sent = try await bench.sent()
      try #require(sent.count == 2)
      let throttled = ServerFailure(.throttled, retryAfter: .seconds(60))
      try await bench.take(.performed(sent[0].id, .failure(throttled)))
      try await bench.take(
        .performed(
          sent[1].id,
          whereAnotherFails ? .failure(ServerFailure(.lostAnswer)) : bench.done(sent[1].request)))
      try await bench.inbox.perform(.markRead(MailThread.self, ["c"]))
      #expect(try await bench.sent().isEmpty)
      bench.desk.advance(by: 59)
      #expect(try await bench.sent(.foreground(true)).isEmpty)
      bench.desk.advance(by: 3600)
      #expect(try await bench.sent(.due).flatMap(\.request.parts).map(\.id).contains("c"))
    }
  }

  /// An interval may be any, and a log that was imported may name any time.
  @Test func refreshByHand_isThrottled_whateverWasRecorded() async throws {
    var policy = PolicySwitches.engage
    policy.refreshInterval = .milliseconds(Int64.max)
    try await Bench.with(.rich, policy) { bench in
      try await bench.take(.wanted)
      #expect(bench.machine.lastAnswer == .started)
      try await bench.take(.wanted)
      let end = Date(kept: Timestamp(rawValue: .max))
      #expect(bench.machine.lastAnswer == .throttled(until: end))
      try await bench.inbox.record(
        RefreshBegan { $0.trigger = .manual }, epoch: bench.machine.login.epoch, at: end)
      try await bench.take(.wanted)
      #expect(bench.machine.lastAnswer == .joined)
    }
  }

  /// That an account may change nothing holds until the app is used again, and is then found out.
  @Test func accountThatMayChangeNothing_isTriedAgain() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let first = try #require(try await bench.sent().first)
      try await bench.take(.performed(first.id, .failure(ServerFailure(.forbidden))))
      try await bench.inbox.perform(.markRead(MailThread.self, ["b"]))
      #expect(try await bench.sent().isEmpty)
      var again = try await bench.sent(.foreground(true))
      again += try await bench.sent()
      #expect(Set(again.flatMap(\.request.parts).map(\.id)) == ["a", "b"])
    }
  }

  /// That something may not be seen keeps nothing from being changed.
  @Test func whatMayNotBeSeen_stopsNoOperation() async throws {
    try await Bench.with(.rich, .engage) { bench in
      let asked = try await bench.take(.began).asked
      try #require(!asked.isEmpty)
      for question in asked {
        try await bench.take(.answered(question, .failure(ServerFailure(.forbidden))))
      }
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r1"]))
      #expect(try await bench.sent().count == 1)
    }
  }
}
