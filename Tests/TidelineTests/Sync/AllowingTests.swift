import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// What the person allows, and how the inbox is set: whether it is kept in step at all.
@Suite(.timeLimit(.minutes(5))) struct AllowingTests {
  /// Nothing of a person's is asked for or sent who does not let their data be used.
  @Test(arguments: [PrivacyMode.restricted, .forgotten])
  func dataThatMayNotBeUsed_areNotAskedFor_norSent(_ mode: PrivacyMode) async throws {
    try await Bench.with(.rich, .engage) { bench in
      let asked = try #require(try await bench.take(.began).asked.first)
      try await bench.inbox.setPrivacy(mode)
      #expect(try await bench.take().questions.isEmpty)
      #expect(try bench.status.obstacle == .disabled && !bench.status.isRefreshing)
      try await bench.take(.answered(asked, .success(Answer())))
      _ = try? await bench.inbox.perform(.markRead(RichMessage.self, ["r1"]))
      let events = [SyncEvent.wanted, .foreground(true), .pushed]
      for event in events {
        let actions = try await bench.take(event)
        #expect(actions.questions.isEmpty && actions.requests.isEmpty)
      }
      #expect(bench.machine.lastAnswer == .disabled)
      try await bench.inbox.setPrivacy(.unrestricted)
      #expect(try await bench.take().questions == [.all(.rich)])
      #expect(try bench.status.obstacle == nil)
    }
  }

  /// What waits until it is on the medium does not go any more, and goes later.
  @Test func operationThatMayNotGoAnyMore_isKept() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let departure = try #require(try await bench.take().departures.first)
      try await bench.inbox.setPrivacy(.restricted)
      let (login, now) = (bench.machine.login, bench.desk.now.kept)
      let isAllowed = try bench.inbox.store.core.read { snapshot in
        departure.steps.allSatisfy { snapshot.allows($0, of: login, at: now) }
      }
      #expect(!isAllowed)
      try await bench.take(.keptBack(departure.id))
      #expect(try await bench.sent().isEmpty)
      try await bench.inbox.setPrivacy(.unrestricted)
      #expect(try await bench.sent().count == 1)
    }
  }

  /// Not to be tracked means that nothing is reported: the inbox is kept in step.
  @Test func whoIsNotTracked_isKeptInStep() async throws {
    try await Bench.with(.rich, .engage) { bench in
      try await bench.inbox.setPrivacy(.doNotTrack)
      #expect(try await bench.take(.began).questions == [.all(.rich)])
    }
  }

  /// That it changed is noticed at once.
  @Test func synchronization_endsAndBegins_asThePersonWants() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let server = PlayedServer(.rich)
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      try await inbox.setPrivacy(.restricted)
      try await sync.status { $0.obstacle == .disabled }
      #expect(await sync.refresh() == .disabled)
      let (position, before) = (try inbox.store.read { $0.position }, server.asked.count)
      await #expect(throws: CancellationError.self) { try await sync.caughtUp(with: position) }
      try await inbox.setPrivacy(.unrestricted)
      try await sync.caughtUp(with: position)
      #expect(server.asked.count > before)
      sync.stop()
    }
  }

  /// That there is no rich inbox says nothing of mail.
  @Test(.feature(92)) func richInboxThatIsOff_leavesMailInStep() async throws {
    var abilities = ServerAbilities.mail
    abilities.streams += ServerAbilities.rich.streams
    try await Bench.with(abilities) { bench in
      try await bench.inbox.configure(isInboxEnabled: false)
      let asked = try await bench.take(.began).asked
      #expect(asked.map(\.question) == [.cursor(stream: "deltas")])
      try await bench.inbox.configure(isInboxEnabled: true)
      try await bench.take()
      let failed = SyncEvent.answered(asked[0], .failure(ServerFailure(.invalid)))
      let questions = try await bench.take(failed).questions
      #expect(questions == [.cursor(stream: "deltas"), .all(.rich)])
    }
  }
}
