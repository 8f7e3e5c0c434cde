import EventStore
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// The synchronization status, and its observers.
@Suite(.timeLimit(.minutes(5))) struct StandingTests {
  private func fact(_ objectClass: ObjectClass, _ id: String) -> ObjectFact {
    ObjectFact(objectClass, ObjectFields { $0.put(.id, id) })
  }

  @Test func caughtUp_waitsForWhatWasWanted_andForWhatTheServerHas() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox", "unread"]])
      let server = PlayedServer(.mail)
      let sync = Sync(inbox, with: server)
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      let position = try inbox.store.read { $0.position }
      async let caughtUp: Void = sync.caughtUp(with: position)
      sync.start()
      try await caughtUp
      let isTaken = try inbox.openOperations().allSatisfy { $0.intent != receipt.number }
      #expect(server.wanted == [.read(true)])
      #expect(isTaken || sync.status.pending == 0)
      #expect(sync.status.upToDateAt != nil)
      sync.stop()
    }
  }

  /// A damaged record may have left any number in the row of an operation, which waits for its
  /// intent to become readable.
  @Test(arguments: [.min, -1, .max] as [Int64])
  func operation_ofAnOddIntent_keepsNoOtherBack(intent: Int64) async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.record(
        StateKept.operation(onThread: "a", intent: intent, account: Int(inbox.account)) {
          $0[8] = .integer(.max)
        })
      try await inbox.tell(threads: ["b": ["inbox", "unread"]])
      try await inbox.perform(.markRead(MailThread.self, ["b"]))
      let server = PlayedServer(.mail)
      let sync = Sync(inbox, with: server)
      sync.start()
      while server.wanted != [.read(true)] { try await Task.sleep(for: .milliseconds(1)) }
      #expect(sync.status.pending > 0)
      sync.stop()
    }
  }

  /// Asking for a whole list twice when synchronization begins would be useless.
  @Test func refreshThatAsksBehindAPosition_isEnoughForWhoWaits() async throws {
    for (isBehind, count) in [(true, 0), (false, 1)] {
      try await Bench.with(.rich, .engage) { bench in
        let before = try bench.inbox.store.read { $0.position.number }
        var id = try #require(try await bench.take(.began).asked.first)
        let position = try bench.inbox.store.read { $0.position.number }
        #expect(before < position)
        #expect(try await bench.take(.awaited(position)).asked.isEmpty)
        #expect(try await bench.take(.began).asked.isEmpty)
        id.askedAfter = isBehind ? position : before
        let asked = try await bench.take(.answered(id, .success(Answer()))).asked
        #expect(asked.count == count)
      }
    }
  }

  /// For example where the answer that arrives is for an earlier question.
  @Test func refreshForWhoWaits_isFollowedByAnother_whereItAskedTooEarly() async throws {
    try await Bench.with(.rich, .engage) { bench in
      let position = try bench.inbox.store.read { $0.position.number }
      var id = try #require(try await bench.take(.awaited(position)).asked.first)
      id.askedAfter = position.advanced(by: -1)
      let asked = try await bench.take(.answered(id, .success(Answer()))).asked
      #expect(asked.map(\.question) == [.all(.rich)])
    }
  }

  /// A stream that is no longer kept up has nothing to say about how new the others are.
  @Test func refreshForWhoWaits_isEnough_onceTheRichInboxIsOff() async throws {
    var abilities = ServerAbilities.mail
    abilities.streams += ServerAbilities.rich.streams
    try await Bench.with(abilities) { bench in
      func answer(_ asked: [QuestionID]) async throws -> Int {
        var (asked, count) = (asked, 0)
        while count < asked.count, count < 20 {
          let answer = SyncEvent.answered(asked[count], .success(Answer { $0.cursor = "c" }))
          asked += try await bench.take(answer).asked
          count += 1
        }
        return count
      }
      let both = try await answer(bench.take(.began).asked)
      try await bench.inbox.configure(isInboxEnabled: false)
      let position = try bench.inbox.store.read { $0.position.number }
      let mail = try await answer(bench.take(.awaited(position)).asked)
      #expect(mail == both - 1)
    }
  }

  @Test func refreshForWhoWaits_isAskedFor_onceThereIsAToken() async throws {
    try await Bench.with(.rich, .engage) { bench in
      let id = try #require(try await bench.take(.began).asked.first)
      let look = SyncEvent.looked(.object(.rich, id: "r1"))
      let looked = try #require(try await bench.take(look).asked.first)
      let position = try bench.inbox.store.read { $0.position.number }
      try await bench.take(.awaited(position))
      try await bench.take(.answered(looked, .failure(ServerFailure(.unauthorized))))
      #expect(try await bench.take(.answered(id, .success(Answer()))).asked.isEmpty)
      #expect(try await bench.take(.authorized).questions.contains(.all(.rich)))
    }
  }

  @Test(.defect(.couchbaseLite, 1)) func caughtUp_ends_whereSynchronizationDoes() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: PlayedServer(.sink))
      let position = try inbox.store.read { $0.position }
      let waiting = Task { try await sync.caughtUp(with: position) }
      await Task.yield()
      sync.stop()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      await #expect(throws: CancellationError.self) { try await sync.caughtUp(with: position) }
      #expect(await sync.refresh() == .disabled)
    }
  }

  /// A screen's observed status matches the sequence.
  @Test @MainActor func liveStatus_followsWhatSynchronizationTells() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: PlayedServer(.mail))
      let live = LiveStatus(sync)
      #expect(live.status == sync.status && live.status.upToDateAt == nil)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      while live.status.upToDateAt == nil {
        await withCheckedContinuation { changed in
          withObservationTracking {
            _ = live.status
          } onChange: {
            changed.resume()
          }
        }
      }
      #expect(live.status.upToDateAt == sync.status.upToDateAt)
      sync.stop()
    }
  }

  @Test(.feature(76)) func foreground_asksForWhatIsNew() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let (server, notices) = (PlayedServer(.rich), inbox.notices)
      let sync = Sync(inbox, with: server)
      sync.start()
      for await notice in notices where notice == .refreshCompleted { break }
      let later = inbox.notices
      sync.note(.foreground(true))
      for await notice in later where notice == .refreshCompleted { break }
      #expect(server.asked == [.all(.rich), .all(.rich)])
      sync.stop()
    }
  }

  /// A throttled refresh gives no other notice.
  @Test(.feature(74), .rule(8)) func refreshByHand_isThrottled_andSaysSo_butNotThatOfAPush()
    async throws
  {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      let (server, notices) = (PlayedServer(.rich), inbox.notices)
      let sync = Sync(inbox, with: server)
      sync.start()
      for await notice in notices where notice == .refreshCompleted { break }
      let first = try await sync.refreshed()
      #expect(first == .started || first == .joined)
      let (until, before) = (desk.now.addingTimeInterval(60), server.asked.count)
      let throttled = inbox.notices
      #expect(await sync.refresh() == .throttled(until: until))
      // The end of the previous refresh may be reported only now.
      var told: [InboxNotice] = []
      for await notice in throttled where notice != .refreshCompleted || !told.isEmpty {
        told.append(notice)
        if told.count == 1 { try await inbox.tell(rich: "r1") }
        if notice == .newRichMessages(ids: ["r1"]) { break }
      }
      #expect(
        told == [.refreshThrottled(retryAfter: .seconds(60)), .newRichMessages(ids: ["r1"])])
      #expect(server.asked.count == before)
      let later = inbox.notices
      sync.note(.push)
      for await notice in later where notice == .refreshCompleted { break }
      #expect(server.asked.count == before + 1)
      sync.stop()
    }
  }

  /// The log knows the time of the last refresh by hand, whoever requested it.
  @Test(.feature(74)) func refreshByHand_isThrottled_alsoByThatOfTheProcessBefore() async throws {
    let desk = try TestDesk()
    var store = try await desk.open()
    var inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    var sync = Sync(inbox, with: PlayedServer(.rich))
    sync.start()
    let answer = try await sync.refreshed()
    #expect(answer == .started || answer == .joined)
    let until = desk.now.addingTimeInterval(60)
    sync.stop()
    await store.close()
    store = try await desk.open()
    inbox = store.inbox(of: 1)
    desk.advance(by: 59)
    sync = Sync(inbox, with: PlayedServer(.rich))
    sync.start()
    #expect(await sync.refresh() == .throttled(until: until))
    desk.advance(by: 1)
    let later = await sync.refresh()
    #expect(later == .started || later == .joined)
    sync.stop()
    await store.close()
  }

  /// An inbox that is switched off schedules no wake-up for a refresh that it can't do.
  @Test(.feature(92)) func inboxThatIsOff_isLeftAlone() async throws {
    try await Bench.with(.rich, .engage) { bench in
      bench.machine = SyncMachine(
        bench.machine.login, .rich, interval: .seconds(10), seed: 7)
      let asked = try #require(try await bench.take(.began).asked.first)
      try await bench.take(.answered(asked, .success(Answer())))
      try await bench.inbox.configure(isInboxEnabled: false)
      bench.desk.advance(by: 20)
      let actions = try await bench.take(.due)
      #expect(actions.questions.isEmpty && actions.wakeUps == [nil])
    }
  }

  /// A refresh in flight is over with the login.
  @Test(.feature(88), arguments: [Inbox.Pending.drop, .flush(within: .seconds(10))])
  func refresh_isOver_onceSomebodyLogsOut(_ pending: Inbox.Pending) async throws {
    try await Bench.with(.mail) { bench in
      let asked = try await bench.take(.began).asked
      #expect(try bench.status.isRefreshing)
      try await bench.inbox.logOut(pending: pending)
      try await bench.take(.answered(asked[0], .success(Answer { $0.cursor = "c" })))
      #expect(try !bench.status.isRefreshing)
    }
  }

  /// After its end, a login receives nothing more, and nothing is asked for it.
  @Test(.feature(88), .rule(20)) func loginThatIsOver_isUnfollowed_andNotRefreshed() async throws {
    var abilities = ServerAbilities.rich
    abilities.streams = [ServerStream("deltas", [.thread], by: .changes)]
    abilities.streams[0].isFollowed = true
    try await Bench.with(abilities) { bench in
      var asked = try await bench.take(.began).asked
      while let id = asked.first {
        let answer = Answer { $0.cursor = "c1" }
        asked = try await bench.take(.answered(id, .success(answer))).asked
      }
      try await bench.inbox.logOut(pending: .flush(within: .seconds(10)))
      let actions = try await bench.take(.wanted)
      #expect(actions.questions.isEmpty && bench.machine.lastAnswer == .disabled)
      #expect(actions.contains { if case .unfollow(0) = $0 { true } else { false } })
    }
  }

  /// Synchronization waits while the store is suspended, and then goes on by itself.
  @Test func suspension_isSurvived() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let server = PlayedServer(.mail) { [fact] question in
        Answer { if case .page(.thread, _, _) = question { $0.facts = [fact(.thread, "a")] } }
      }
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      await inbox.store.suspend()
      sync.note(.push)
      try await inbox.store.resume()
      try await inbox.perform(.markUnread(MailThread.self, ["a"]))
      try await sync.caughtUp(with: inbox.store.read { $0.position })
      #expect(server.wanted == [.read(false)])
      sync.stop()
    }
  }

  /// The status does not say that something goes on while the store is suspended.
  @Test func suspension_isToldOf() async throws {
    let (turns, goOn) = AsyncStream<Void>.makeStream()
    let server = PlayedServer(.mail, mayAnswer: { for await _ in turns {} })
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status(where: \.isRefreshing)
      await inbox.store.suspend()
      try await sync.status { !$0.isRefreshing }
      goOn.finish()
      try await inbox.store.resume()
      try await sync.status { $0.upToDateAt != nil }
      sync.stop()
    }
  }

  /// A refusal of a token that was replaced during the request means nothing.
  @Test func refusalOfAnOldToken_doesNotLoseTheNewOne() async throws {
    let refusals = Atomic(0)
    let server = PlayedServer(
      .sink,
      onRequest: { request, token throws(ServerFailure) in
        guard token == Token("2") else {
          refusals.add(1, ordering: .relaxed)
          throw ServerFailure(.unauthorized, status: 401)
        }
        return Settlement(request.parts.map { _ in .done(version: 5) })
      })
    let tokens = CountingTokens()
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox", "unread"], "b": ["inbox", "unread"]])
      let sync = Sync(inbox, with: server, tokens: tokens)
      sync.start()
      let first = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      let second = try await inbox.perform(.markRead(MailThread.self, ["b"]))
      try await first.confirmed()
      try await second.confirmed()
      #expect(tokens.given == 2)
      sync.stop()
    }
  }

  @Test func doubt_isResolvedByThePerson() async throws {
    let server = PlayedServer(
      .sink,
      onRequest: { request, _ throws(ServerFailure) in
        if case .draft = request.parts[0].wanted { return Settlement([.done(newID: "d1")]) }
        throw ServerFailure(.lostAnswer)
      })
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.subject = "Hello"
      try await inbox.perform(.save(draft))
      try await inbox.perform(.send(draft))
      var doubt: OpenOperation?
      try await sync.status { _ in
        doubt = try inbox.openOperations().first { $0.state == .uncertain }
        return doubt != nil
      }
      try await inbox.resolve(try #require(doubt), .done)
      let open = try inbox.openOperations().filter { $0.state == .uncertain }
      #expect(open.isEmpty)
      // Settled operations are not decided about again.
      let before = try inbox.store.read { $0.position }
      try await inbox.resolve(try #require(doubt), .giveUp)
      let after = try inbox.store.read { $0.position }
      #expect(before == after)
      sync.stop()
    }
  }
}

/// A source of numbered tokens, from 1.
private final class CountingTokens: TokenSource {
  private let count = Mutex(0)

  var given: Int { count.withLock { $0 } }

  func token(replacing refused: Token?) async throws -> Token? {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return Token("\(number)")
  }
}
