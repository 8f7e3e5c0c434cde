import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Operations withdrawn or held while synchronization is about to send them.
@Suite(.timeLimit(.minutes(5))) struct WithdrawalTests {
  private static let turns = 200

  /// Either the withdrawal is too late, or nothing of the operation ever reaches the server.
  @Test(.feature(46)) func whatIsTakenBack_isNeverSent() async throws {
    let server = PlayedServer(.sink)
    try await TestDesk.withInbox { inbox, _ in
      let threads = (0..<Self.turns).map { "t\($0)" }
      for thread in threads { try await inbox.tell(threads: [thread: ["unread"]]) }
      let sync = Sync(inbox, with: server)
      sync.start()
      var takenBack: [String] = []
      for (turn, thread) in threads.enumerated() {
        let receipt = try await inbox.perform(.markRead(MailThread.self, [thread]))
        if await isTakenBack(receipt, after: turn % 50) { takenBack.append(thread) }
      }
      sync.stop()
      let sent = Set(server.performed.flatMap(\.parts).map(\.id))
      #expect(sent.isDisjoint(with: takenBack))
    }
  }

  private func isTakenBack(_ receipt: IntentReceipt, after turns: Int) async -> Bool {
    for _ in 0..<turns { await Task.yield() }
    return (try? await receipt.withdraw()) != nil
  }

  @Test func whatIsDone_canNeitherBeTakenBack_norHeld() async throws {
    try await Bench.with { bench in
      let receipt = try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let sent = try #require(try await bench.sent().first)
      try await bench.take(.performed(sent.id, bench.done(sent.request)))
      try await bench.inbox.tell(threads: ["a": ["inbox"]])
      #expect(try receipt.isSettled)
      await #expect(throws: IntentError.tooLate) { try await receipt.withdraw() }
      await #expect(throws: IntentError.tooLate) { try await receipt.hold(for: .seconds(5)) }
    }
  }

  @Test func whatIsBegun_canNeitherBeTakenBack_norHeld() async throws {
    try await Bench.with { bench in
      let receipt = try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      try await bench.take()
      let last = try bench.inbox.store.core.read { $0.position.number }
      await #expect(throws: IntentError.tooLate) { try await receipt.withdraw() }
      await #expect(throws: IntentError.tooLate) { try await receipt.hold(for: .seconds(5)) }
      #expect(try bench.inbox.store.core.read { $0.position.number } == last)
    }
  }

  /// A request is not sent if a part was withdrawn before its beginning was recorded; its other
  /// parts are sent at once, as nothing is wrong with the server.
  @Test func requestIsNotAllowed_ofWhatWasTakenBackOrHeld() async throws {
    for isHeld in [false, true] {
      try await Bench.with(.rich, .engage) { bench in
        let first = try await bench.inbox.perform(.markRead(RichMessage.self, ["r1"]))
        try await bench.inbox.perform(.markRead(RichMessage.self, ["r2"]))
        let actions = try bench.decided()
        let departure = try #require(actions.departures.first)
        #expect(departure.request.parts.map(\.id) == ["r1", "r2"])
        #expect(try !bench.allows(departure))
        if isHeld { try await first.hold(for: .seconds(5)) } else { try await first.withdraw() }
        try await bench.record(actions)
        #expect(try !bench.allows(departure))
        let next = try await bench.take(.keptBack(departure.id)).departures
        #expect(next.flatMap(\.request.parts).map(\.id) == ["r2"])
        #expect(try next.allSatisfy(bench.allows))
        bench.desk.advance(by: 3600)
        let later = try await bench.take(.due).departures
        #expect(later.flatMap(\.request.parts).map(\.id) == (isHeld ? ["r1"] : []))
      }
    }
  }

  /// Two changes of one object were to go as one, and the second is held before their beginning is
  /// recorded: the first goes at once, and the second later.
  @Test func whatIsHeld_keepsNothingBackThatWasWantedBefore() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      let second = try await bench.inbox.perform(
        .changeTags(MailThread.self, ["a"], adding: ["important"]))
      let actions = try bench.decided()
      let departure = try #require(actions.departures.first)
      #expect(departure.added == [["starred", "important"]])
      try await second.hold(for: .seconds(5))
      try await bench.record(actions)
      #expect(try !bench.allows(departure))
      let next = try #require(try await bench.take(.keptBack(departure.id)).departures.first)
      #expect(next.added == [["starred"]])
      #expect(try bench.allows(next))
      try await bench.take(.performed(next.id, bench.done(next.request)))
      #expect(try await bench.take(.due).departures.isEmpty)
      bench.desk.advance(by: 3600)
      #expect(try await bench.take(.due).departures.map(\.added) == [[["important"]]])
    }
  }

  /// What was held as it began was not sent, so it can be taken back.
  @Test(.feature(46)) func whatWasHeldAsItBegan_canBeTakenBack() async throws {
    try await Bench.with { bench in
      let receipt = try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let actions = try bench.decided()
      try await receipt.hold(for: .seconds(60))
      try await bench.record(actions)
      let departure = try #require(actions.departures.first)
      #expect(try !bench.allows(departure))
      try await bench.take(.keptBack(departure.id))
      try await receipt.withdraw()
      #expect(try bench.inbox.openOperations().isEmpty)
      bench.desk.advance(by: 3600)
      #expect(try await bench.sent(.due).isEmpty)
    }
  }

  /// An earlier attempt may have arrived, though the last one was not sent.
  @Test(.feature(46)) func whatMayHaveArrivedBefore_canNotBeTakenBack() async throws {
    try await Bench.with { bench in
      let receipt = try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      for reason in [ServerFailure.Reason.lostAnswer, .notSent] {
        let sent = try #require(try await bench.sent(.foreground(true)).first)
        try await bench.take(.performed(sent.id, .failure(ServerFailure(reason))))
      }
      await #expect(throws: IntentError.tooLate) { try await receipt.withdraw() }
    }
  }
}

extension Departure {
  /// The tags that each part of the request adds.
  fileprivate var added: [Set<String>] {
    request.parts.compactMap { part in
      if case .tags(let added, _) = part.wanted { added } else { nil }
    }
  }
}

extension Bench {
  /// Returns the actions decided, none of them recorded.
  fileprivate func decided() throws -> [SyncAction] {
    let now = desk.now.kept
    return try inbox.store.core.read { try machine.take(.recorded, $0, at: now) }
  }

  fileprivate func record(_ actions: [SyncAction]) async throws {
    for action in actions {
      switch action {
      case .record(let events, _):
        for event in events { try await inbox.record(event, at: desk.now) }
      case .begin(let departures):
        for event in departures.flatMap(\.beginning) {
          try await inbox.record(event, at: desk.now)
        }
      default: break
      }
    }
  }

  fileprivate func allows(_ departure: Departure) throws -> Bool {
    let (login, now) = (machine.login, desk.now.kept)
    return try inbox.store.core.read { $0.allows(departure, of: login, at: now) }
  }
}
