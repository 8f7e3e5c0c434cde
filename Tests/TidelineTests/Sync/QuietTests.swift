import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineSync

/// How long a server is left alone, and in which respects.
@Suite struct QuietTests {
  /// A server's request for quiet holds, whatever happens to requests already in flight.
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

  /// A new machine, as after a store resumes, asks no earlier.
  @Test(.feature(75), .rule(8)) func whatTheServerWants_holdsForTheNextMachine() async throws {
    try await Bench.with(.rich, .engage) { bench in
      let asked = try #require(try await bench.take(.began).asked.first)
      let throttled = ServerFailure(.throttled, retryAfter: .seconds(60))
      try await bench.take(.answered(asked, .failure(throttled)))
      var next = SyncMachine(bench.machine.login, .rich, seed: 8)
      next.handover = bench.machine.handover
      bench.machine = next
      #expect(try await bench.take(.began).asked.isEmpty)
      bench.desk.advance(by: 61)
      #expect(try await !bench.take(.due).asked.isEmpty)
    }
  }

  /// An app whose store was suspended in the background asks no earlier either.
  @Test(.feature(75)) func whatTheServerWants_outlivesASuspension() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let server = PlayedServer(.rich) { _ throws(ServerFailure) in
        throw ServerFailure(.throttled, retryAfter: .seconds(60))
      }
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { if case .throttled = $0.obstacle { true } else { false } }
      let count = server.asked.count
      await inbox.store.suspend()
      try await inbox.store.resume()
      #expect(await sync.refresh() == .waiting)
      #expect(server.asked.count == count)
      sync.stop()
    }
  }

  /// Setting the clock neither lengthens nor shortens the wait for a refresh by hand.
  @Test(.feature(74), arguments: [-3600.0, 3600])
  func refreshByHand_isThrottled_whateverTheClockIsSetTo(by jump: Double) async throws {
    var policy = PolicySwitches.engage
    policy.refreshInterval = .seconds(60)
    try await Bench.with(.rich, policy) { bench in
      let asked = try await bench.take(.wanted).asked
      for id in asked { try await bench.take(.answered(id, .success(Answer()))) }
      bench.desk.advance(by: 30)
      bench.desk.setClock(by: jump)
      try await bench.inbox.record(
        ClockTicked { ($0.reason, $0.jump) = (.set, Int64(jump * 1000)) }, at: bench.desk.now)
      try await bench.take(.wanted)
      let end = bench.desk.now.addingTimeInterval(30)
      #expect(bench.machine.lastAnswer == .throttled(until: end))
    }
  }

  /// An interval may have any length, and an imported log may hold any time.
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

  /// A ban on an account's changes holds until the app is used again, and is then tested.
  @Test func accountThatMayChangeNothing_isTriedAgain() async throws {
    try await Bench.with { bench in
      for id in ["a", "b"] {
        try await bench.inbox.perform(.markRead(MailThread.self, [id]))
        let next = try #require(try await bench.sent().first)
        try await bench.take(.performed(next.id, .failure(ServerFailure(.forbidden))))
        #expect(try bench.status.obstacle == .forbidden)
      }
      try await bench.inbox.perform(.markRead(MailThread.self, ["c"]))
      #expect(try await bench.sent().isEmpty)
      var again = try await bench.sent(.foreground(true))
      again += try await bench.sent()
      #expect(Set(again.flatMap(\.request.parts).map(\.id)) == ["a", "b", "c"])
    }
  }

  /// Objects that may not be changed don't keep others from being changed, however often they are
  /// tried.
  @Test(.feature(48)) func objectsThatMayNotBeChanged_doNotHoldUpOthers() async throws {
    var abilities = ServerAbilities.sink
    abilities.requestsMax = 2
    try await Bench.with(abilities) { bench in
      try await bench.inbox.tell(threads: ["d": ["unread"]])
      let forbidden = SyncEvent.Performed.failure(ServerFailure(.forbidden))
      for id in ["a", "b", "c"] { try await bench.inbox.perform(.markRead(MailThread.self, [id])) }
      var first = try await bench.sent()
      while let next = first.popLast() {
        first += try await bench.sent(.performed(next.id, forbidden))
      }
      #expect(try bench.status.obstacle == .forbidden)
      try await bench.inbox.perform(.markRead(MailThread.self, ["d"]))
      #expect(try await bench.sent().isEmpty)
      var (sent, tried) = (try await bench.sent(.foreground(true)), [String]())
      while let next = sent.first, tried.count < 9 {
        tried += next.request.parts.map(\.id)
        sent.removeFirst()
        sent += try await bench.sent(.performed(next.id, forbidden))
      }
      #expect(tried == ["a", "b", "c", "d"])
    }
  }

  /// A ban on one object holds until the app is used again, also by the next machine: as after a
  /// store resumes, when nothing else may happen.
  @Test func objectThatMayNotBeChanged_isTriedAgain_byTheNextMachine() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let first = try #require(try await bench.sent().first)
      try await bench.take(.performed(first.id, .failure(ServerFailure(.forbidden))))
      var surroundings = Surroundings()
      surroundings.isForeground = false
      bench.machine = SyncMachine(bench.machine.login, .sink, in: surroundings, seed: 8)
      #expect(try await bench.sent(.began).isEmpty)
      bench.machine = SyncMachine(bench.machine.login, .sink, seed: 9)
      #expect(try await bench.sent(.began).flatMap(\.request.parts).map(\.id) == ["a"])
    }
  }

  /// A person who pulls at a list wants a try now, unless the refresh is throttled.
  @Test func objectThatMayNotBeChanged_isTriedAgain_byHand() async throws {
    var policy = PolicySwitches.engage
    policy.refreshInterval = .seconds(60)
    try await Bench.with(.rich, policy) { bench in
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r1"]))
      for isThrottled in [false, true] {
        let next = try #require(try await bench.sent().first)
        try await bench.take(.performed(next.id, .failure(ServerFailure(.forbidden))))
        #expect(try bench.status.obstacle == .forbidden)
        let again = try await bench.sent(.wanted)
        #expect(again.isEmpty == isThrottled)
        guard let again = again.first else { continue }
        try await bench.take(.performed(again.id, .failure(ServerFailure(.lostAnswer))))
        bench.desk.advance(by: 2)
      }
    }
  }

  /// A ban on reading doesn't prevent changes.
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

  /// Requests that were in flight together and failed together count as one failure.
  @Test(arguments: 1...8) func outage_countsOnce(seed: UInt64) async throws {
    try await Bench.with { bench in
      bench.machine = SyncMachine(bench.machine.login, .sink, seed: seed)
      for id in ["a", "b", "c"] { try await bench.inbox.perform(.markRead(MailThread.self, [id])) }
      let sent = try await bench.sent()
      let failed = SyncEvent.Performed.failure(ServerFailure(.server))
      for next in sent { try await bench.take(.performed(next.id, failed)) }
      guard case .failing(let until)? = try bench.status.obstacle else {
        Issue.record("nothing is said")
        return
      }
      #expect(sent.count == 3 && until <= bench.desk.now.addingTimeInterval(1))
    }
  }

  /// After the clock is set back, waits don't last until it shows the old time again.
  @Test func clockThatIsSetBack_endsWaits() async throws {
    try await Bench.with(.rich, .engage) { bench in
      let asked = try #require(try await bench.take(.began).asked.first)
      let throttled = ServerFailure(.throttled, retryAfter: .seconds(60))
      try await bench.take(.answered(asked, .failure(throttled)))
      #expect(try await bench.take(.due).questions.isEmpty)
      bench.desk.advance(by: -3600)
      #expect(try await bench.take(.due).questions == [.all(.rich)])
    }
  }

  /// Once a server can be reached again, waits end, but not because of an operation to which
  /// something else answers each time in the server's place.
  @Test(arguments: [nil, 302]) func answer_endsWaits_whereNothingAnswered(status: Int64?)
    async throws
  {
    try await Bench.with { bench in
      for id in ["a", "b"] { try await bench.inbox.perform(.markRead(MailThread.self, [id])) }
      let sent = try await bench.sent()
      try #require(sent.count == 2)
      let failed = SyncEvent.Performed.failure(ServerFailure(.notSent, status: status))
      try await bench.take(.performed(sent[0].id, failed))
      let again = try await bench.sent(.performed(sent[1].id, bench.done(sent[1].request)))
      #expect(again.count == (status == nil ? 1 : 0))
    }
  }

  /// A repeated notice of the network is a chance for requests that could not be sent.
  @Test func networkThatIsToldOfAgain_endsWaits_whereNothingCouldBeSent() async throws {
    try await Bench.with(.rich, .engage) { bench in
      for (failure, count) in [
        (ServerFailure(.notSent), 1), (ServerFailure(.notSent, status: 511), 1),
        (ServerFailure(.server), 0),
      ] {
        let asked = try #require(try await bench.take(.foreground(true)).asked.first)
        try await bench.take(.answered(asked, .failure(failure)))
        let again = try await bench.take(.online(true)).asked
        #expect(again.count == count)
        for id in again { try await bench.take(.answered(id, .success(Answer()))) }
      }
    }
  }

  /// A ban on one object says nothing about the others.
  @Test func objectThatMayNotBeChanged_stopsNoOther() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let first = try #require(try await bench.sent().first)
      try await bench.take(.performed(first.id, .failure(ServerFailure(.forbidden))))
      try await bench.inbox.perform(.markRead(MailThread.self, ["b"]))
      let next = try #require(try await bench.sent().first)
      #expect(next.request.parts[0].id == "b")
      try await bench.take(.performed(next.id, bench.done(next.request)))
      #expect(try bench.status.obstacle == nil)
    }
  }
}
