import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Refreshes, and the notices about them.
@Suite(.timeLimit(.minutes(5))) struct RefreshTests {
  @Test func refreshByHand_waits_whereNothingCanBeAsked_andDoesNotCount() async throws {
    try await Bench.with(.rich, .marketingCloud) { bench in
      try await bench.take(.online(false))
      let actions = try await bench.take(.wanted)
      #expect(bench.machine.lastAnswer == .waiting)
      #expect(actions.questions.isEmpty && !actions.contains(where: \.isRecording))
      let asked = try #require(try await bench.take(.online(true)).asked.first)
      #expect(asked.question == .all(.rich))
      try await bench.take(.answered(asked, .success(Answer())))
      #expect(try await bench.take(.wanted).questions == [.all(.rich)])
      #expect(bench.machine.lastAnswer == .started)
    }
  }

  /// A person who pulls at a list wants a try now, unless the server wants to be left alone.
  @Test(arguments: [ServerFailure.Reason.server, .notSent, .throttled])
  func refreshByHand_endsWaits_butWhatTheServerWants(_ reason: ServerFailure.Reason) async throws {
    try await Bench.with(.rich, .engage) { bench in
      let asked = try #require(try await bench.take(.began).asked.first)
      try await bench.take(.answered(asked, .failure(ServerFailure(reason))))
      let again = try await bench.take(.wanted)
      #expect(again.questions.isEmpty == (reason == .throttled))
      #expect(bench.machine.lastAnswer == (reason == .throttled ? .waiting : .started))
    }
  }

  /// This holds however the first ends, and however often a refresh is requested meanwhile.
  @Test(.feature(9), arguments: [true, false])
  func refreshes_areMadeOneAtATime_andOnceMoreForWhoWantedOneMeanwhile(
    isSuccess: Bool
  ) async throws {
    try await Bench.with(.rich, .engage) { bench in
      let first = try #require(try await bench.take(.wanted).asked.first)
      #expect(bench.machine.lastAnswer == .started)
      for _ in 0..<3 {
        #expect(try await bench.take(.wanted).questions.isEmpty)
        #expect(bench.machine.lastAnswer == .joined)
      }
      let end: Result<Answer, ServerFailure> =
        isSuccess ? .success(Answer()) : .failure(ServerFailure(.invalid))
      let second = try await bench.take(.answered(first, end)).asked
      #expect(second.map(\.question) == [.all(.rich)])
      let last = SyncEvent.answered(try #require(second.first), .success(Answer()))
      #expect(try await bench.take(last).questions.isEmpty)
    }
  }

  /// A refresh that was promised begins, whatever the server wants by then of those by hand.
  @Test(arguments: [true, false], [true, false])
  func refreshBehindAnother_isNotThrottled(isFirstByHand: Bool, isBeforeAPush: Bool)
    async throws
  {
    try await Bench.with(.rich, .engage) { bench in
      let byHand = try #require(try await bench.take(.wanted).asked.first)
      try await bench.take(.answered(byHand, .success(Answer())))
      bench.desk.advance(by: 30)
      let first = try await bench.take(isFirstByHand ? .wanted : .began).asked
      try await bench.take(.wanted)
      #expect(bench.machine.lastAnswer == .joined)
      if isBeforeAPush { try await bench.take(.pushed) }
      let answer = Answer { $0.refreshAfter = .seconds(60) }
      let second = try await bench.take(.answered(try #require(first.first), .success(answer)))
      #expect(second.questions == [.all(.rich)])
      let last = SyncEvent.answered(try #require(second.asked.first), .success(answer))
      #expect(try await bench.take(last).questions.isEmpty)
      try await bench.take(.wanted)
      let until = bench.desk.now.addingTimeInterval(60)
      #expect(bench.machine.lastAnswer == .throttled(until: until))
    }
  }

  /// A refresh that was promised begins once the server's pause is over, even while the app is not
  /// in use.
  @Test(arguments: [true, false]) func refreshBehindAnother_waitsForTheServersPause(
    isForeground: Bool
  ) async throws {
    try await Bench.with(.rich, .engage) { bench in
      let first = try #require(try await bench.take(.began).asked.first)
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r1"]))
      let sent = try #require(try await bench.sent().first)
      try await bench.take(.foreground(isForeground))
      try await bench.take(.pushed)
      let throttled = ServerFailure(.throttled, retryAfter: .seconds(60))
      try await bench.take(.performed(sent.id, .failure(throttled)))
      #expect(try await bench.take(.answered(first, .success(Answer()))).questions.isEmpty)
      bench.desk.advance(by: 62)
      #expect(try await bench.take(.due).questions == [.all(.rich)])
    }
  }

  /// Any failure of a refresh is shown until a refresh succeeds.
  @Test(arguments: [ServerFailure.Reason.invalid, .notFound, .forbidden, .tooLarge, .unsupported])
  func refreshThatFailed_isSaid(_ reason: ServerFailure.Reason) async throws {
    try await Bench.with(.rich, .engage) { bench in
      let asked = try #require(try await bench.take(.began).asked.first)
      try await bench.take(.answered(asked, .failure(ServerFailure(reason))))
      guard case .failing(let until)? = try bench.status.obstacle else {
        Issue.record("nothing is said")
        return
      }
      #expect(until > bench.desk.now)
      bench.desk.advance(by: 2)
      let again = try #require(try await bench.take(.due).asked.first)
      try await bench.take(.answered(again, .success(Answer())))
      #expect(try bench.status.obstacle == nil)
    }
  }

  /// A refresh that had to list everything anew has fetched everything.
  @Test func refreshBehindARefusedCursor_succeeds() async throws {
    let isRefusing = Atomic(false)
    let server = PlayedServer(
      .mail,
      onQuestion: { question throws(ServerFailure) in
        if case .changes(_, "c1", _) = question, isRefusing.load(ordering: .relaxed) {
          throw ServerFailure(.cursorUnknown)
        }
        let cursor = isRefusing.load(ordering: .relaxed) ? "c2" : "c1"
        return Answer { $0.cursor = cursor }
      })
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      isRefusing.store(true, ordering: .relaxed)
      _ = try await sync.refreshed()
      #expect(server.asked.contains(.changes(stream: "deltas", since: "c2", limit: 16)))
      sync.stop()
    }
  }

  /// Waiting for a refresh lasts until it is over, and returns its result.
  @Test func refreshByHand_isWaitedFor() async throws {
    let count = Atomic(0)
    let server = PlayedServer(
      .rich,
      onQuestion: { _ throws(ServerFailure) in
        guard count.add(1, ordering: .relaxed).newValue < 3 else {
          throw ServerFailure(.invalid, message: "no")
        }
        return Answer()
      })
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      let notices = inbox.notices
      let answer = try await sync.refreshed()
      #expect(answer == .started)
      for await notice in notices where notice == .refreshCompleted { break }
      #expect(server.asked.count == 2)
      await #expect(throws: ServerFailure(.invalid, message: "no")) { try await sync.refreshed() }
      sync.stop()
      let last = try await sync.refreshed()
      #expect(last == .disabled)
    }
  }

  /// The refresh for a silent push is waited for; it is not throttled, and throttles no person's.
  @Test(.rule(8)) func refreshForAPush_isWaitedFor_andIsNotByHand() async throws {
    let server = PlayedServer(.rich) { _ in Answer() }
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      #expect(try await sync.refreshed(byHand: false) == .started)
      #expect(server.asked.count == 2)
      #expect(try await sync.refreshed() == .started)
      #expect(try await sync.refreshed(byHand: false) == .started)
      #expect(server.asked.count == 4)
      let until = Date(timeIntervalSince1970: desk.now.timeIntervalSince1970 + 60)
      #expect(try await sync.refreshed() == .throttled(until: until))
      sync.stop()
    }
  }

  @Test func refreshByHand_isNotWaitedFor_whereTheTaskIsCancelled() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let server = HeldServer()
      let sync = Sync(inbox, with: server)
      sync.start()
      let waiting = Task { try await sync.refreshed() }
      try await sync.status { $0.isRefreshing }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      sync.stop()
    }
  }

  /// A refresh queued after another never begins once nobody wants any.
  @Test func refreshBehindAnother_ends_whereSomebodyLogsOut() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let sync = Sync(inbox, with: HeldServer())
      sync.start()
      try await sync.status { $0.isRefreshing }
      let waiting = Task { try await sync.refreshed() }
      // This is long enough to have asked; a later caller is told that nothing is refreshed.
      try await Task.sleep(for: .milliseconds(100))
      try await inbox.logOut(pending: .drop)
      do { #expect(try await waiting.value == .disabled) } catch is CancellationError {}
      sync.stop()
    }
  }

  /// The interval between refreshes may be infinite.
  @Test func refreshByItself_mayBeAsLateAsNever() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let server = PlayedServer(.rich) { _ in Answer() }
      let sync = Sync(inbox, with: server, every: .seconds(Int64.max))
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      #expect(try await sync.refreshed() == .started)
      sync.stop()
    }
  }

  /// Nobody waits for what never comes.
  @Test func caughtUp_ends_whereSomebodyLogsOut() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let sync = Sync(inbox, with: HeldServer())
      sync.start()
      let position = try inbox.store.read { $0.position }
      let waiting = Task { try await sync.caughtUp(with: position) }
      try await sync.status { $0.isRefreshing }
      let notices = inbox.notices
      try await inbox.logOut(pending: .drop)
      await #expect(throws: CancellationError.self) { try await waiting.value }
      try await sync.status { $0.obstacle == .disabled }
      // A screen that shows a running refresh is told that it has been cancelled.
      for await notice in notices where notice == .refreshCancelled { break }
      sync.stop()
    }
  }

  /// While the server wants to be left alone, requests in flight go on, and nothing new is asked.
  ///
  /// The refresh lasts through a short pause only.
  @Test(.feature(75), arguments: [5, 60])
  func nextPage_waits_whileTheServerWantsToBeLeftAlone(seconds: Int) async throws {
    try await Bench.with(.mail) { bench in
      let cursor = try #require(try await bench.take(.began).asked.first)
      let page = try #require(
        try await bench.take(.answered(cursor, .success(Answer { $0.cursor = "c" }))).asked.first)
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let sent = try #require(try await bench.sent().first)
      let throttled = ServerFailure(.throttled, retryAfter: .seconds(seconds))
      try await bench.take(.performed(sent.id, .failure(throttled)))
      let answered = SyncEvent.answered(page, .success(Answer()))
      #expect(try await bench.take(answered).questions.isEmpty)
      #expect(try bench.status.isRefreshing == (seconds < 10))
      bench.desk.advance(by: 62)
      #expect(try await bench.take(.due).questions == [.page(.message, offset: 0, limit: 16)])
    }
  }

  /// A refresh whose next page can't be asked for ends, so that nobody waits for the network, and
  /// goes on where it was.
  @Test func refreshThatLosesTheNetwork_ends_andGoesOn() async throws {
    try await Bench.with(.mail) { bench in
      let cursor = try #require(try await bench.take(.began).asked.first)
      try await bench.take(.online(false))
      let answer = Answer { $0.cursor = "c" }
      #expect(try await bench.take(.answered(cursor, .success(answer))).questions.isEmpty)
      #expect(try !bench.status.isRefreshing && bench.status.obstacle == .offline)
      try await bench.take(.wanted)
      #expect(bench.machine.lastAnswer == .waiting)
      let next = try await bench.take(.online(true)).questions
      #expect(next == [.page(.tag, offset: 0, limit: 16)])
    }
  }

  /// Whoever waits for a second refresh is told if that can't begin behind the first.
  @Test func refreshBehindAnother_isNotWaitedFor_whereNothingCanBeAsked() async throws {
    try await Bench.with(.rich, .engage) { bench in
      let first = try #require(try await bench.take(.began).asked.first)
      try await bench.take(.pushed)
      let number = bench.machine.lastNumber
      #expect(bench.machine.lastAnswer == .joined)
      #expect(try bench.result(of: number) == nil)
      try await bench.take(.online(false))
      try await bench.take(.answered(first, .success(Answer())))
      #expect(try bench.result(of: number - 1) == .success)
      #expect(try bench.result(of: number) == .failure)
    }
  }

  /// What becomes known at one moment wants one refresh, and a person's counts as theirs.
  @Test(arguments: [SyncEvent.pushed, .wanted, .foreground(true)])
  func refreshes_wantedTogether_areOne(second: SyncEvent) async throws {
    try await Bench.with(.rich, .marketingCloud) { bench in
      #expect(try await bench.take(.began, isLast: false).questions.isEmpty)
      let asked = try await bench.take(second).asked
      #expect(asked.map(\.question) == [.all(.rich)])
      let last = SyncEvent.answered(try #require(asked.first), .success(Answer()))
      #expect(try await bench.take(last).questions.isEmpty)
      let isByHand = second.isRequestByHand == true
      try await bench.take(.wanted)
      if case .throttled = bench.machine.lastAnswer {
        #expect(isByHand)
      } else {
        #expect(!isByHand)
      }
    }
  }

  /// A launch by a push refreshes once.
  @Test func refreshAtTheStart_isTheOneWanted() async throws {
    let server = PlayedServer(.rich) { _ in Answer() }
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let (sync, start) = (Sync(inbox, with: server), try inbox.store.read { $0.position })
      sync.note(.foreground(true))
      sync.note(.push)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      try await sync.caughtUp(with: start)
      #expect(server.asked == [.all(.rich)])
      sync.stop()
    }
  }

  /// Releasing a synchronization cancels requests in flight, however long they would take.
  @Test func synchronizationThatIsLetGo_endsWhatIsUnderWay() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let server = HeldServer()
      var sync: Sync? = Sync(inbox, with: server)
      sync?.start()
      while !server.isAsked { await Task.yield() }
      sync = nil
      while !server.isCancelled { await Task.yield() }
    }
  }
}

/// A server that does not answer.
private final class HeldServer: Server {
  private let asked = Atomic(false)
  private let cancelled = Atomic(false)

  var isAsked: Bool { asked.load(ordering: .relaxed) }
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
  var abilities: ServerAbilities { .rich }

  func answer(_ question: Question, token: Token?) async throws(ServerFailure) -> Answer {
    asked.store(true, ordering: .relaxed)
    let (stream, feed) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    feed.finish()
    cancelled.store(Task.isCancelled, ordering: .relaxed)
    throw ServerFailure(.notSent)
  }

  func perform(
    _ request: ServerRequest, token: Token?
  ) async throws(ServerFailure) -> Settlement { throw ServerFailure(.notSent) }
}
