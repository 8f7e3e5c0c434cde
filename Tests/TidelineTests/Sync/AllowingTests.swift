import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// The person's privacy and the inbox's configuration decide whether the inbox is synchronized.
@Suite(.timeLimit(.minutes(5))) struct AllowingTests {
  /// If a person's data may not be used, nothing is asked for and nothing is sent.
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

  /// An operation that is waiting for the disk when sending is forbidden is kept and sent later.
  @Test func operationThatMayNotGoAnyMore_isKept() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let departure = try #require(try await bench.take().departures.first)
      try await bench.inbox.setPrivacy(.restricted)
      let (login, now) = (bench.machine.login, bench.desk.now.kept)
      let isAllowed = try bench.inbox.store.core.read {
        $0.allows(departure, of: login, at: now)
      }
      #expect(!isAllowed)
      try await bench.take(.keptBack(departure.id))
      #expect(try await bench.sent().isEmpty)
      try await bench.inbox.setPrivacy(.unrestricted)
      #expect(try await bench.sent().count == 1)
    }
  }

  /// Do-not-track only stops reporting: the inbox is still synchronized.
  @Test func whoIsNotTracked_isKeptInStep() async throws {
    try await Bench.with(.rich, .engage) { bench in
      try await bench.inbox.setPrivacy(.doNotTrack)
      #expect(try await bench.take(.began).questions == [.all(.rich)])
    }
  }

  /// A change of privacy takes effect at once.
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

  /// A missing rich inbox says nothing about mail.
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
