import EventStore
import Foundation
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Erased data is in no file any more, and everything else is unchanged.
@Suite(.timeLimit(.minutes(5))) struct InboxErasureTests {
  /// Takes about a second: a thousand planted texts are searched for in every file, byte by byte.
  @Test(.feature(93)) func forgotten_isNowhere_butTheAccountStays() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await PlantedInbox.plant(300, in: inbox, desk)
    try await leaveAlert(in: desk)
    #expect(try inbox.provider(Message.self).start.list.count == 200)
    #expect(try !PlantedInbox.marks(in: desk.folder.path).isEmpty)

    try await inbox.setPrivacy(.forgotten)
    #expect(try PlantedInbox.marks(in: desk.folder.path) == [])
    #expect(try inbox.provider(Message.self).start.list.isEmpty)
    let profile = try #require(try inbox.profile)
    #expect(profile.isLoggedIn)
    #expect(try store.mode(of: 1) == .forgotten)
    let pushed = try await store.receive(try Self.alert, by: .marketingCloud)
    #expect(!pushed.isRecorded)
    try await inbox.setPrivacy(.unrestricted)
    try await inbox.tell(threads: ["a": ["inbox"]])
    await store.close()
    #expect(try PlantedInbox.marks(in: desk.folder.path) == [])

    let again = try await desk.open()
    #expect(try again.inbox(of: 1).object(MailThread.self, "a") != nil)
    #expect(try again.core.refused().isEmpty)
    await again.close()
  }

  /// A wish without the state that stays, as another process may record it, counts as a whole, also
  /// if the login ends before it is fulfilled.
  @Test(.feature(93)) func wishOfALoginThatEnded_isFulfilled() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await PlantedInbox.plant(20, in: inbox, desk)
    try await inbox.record(PrivacyChanged { $0.mode = .forgotten }, at: desk.now)
    #expect(try !PlantedInbox.marks(in: desk.folder.path).isEmpty)
    try await inbox.logOut(pending: .drop)
    await store.close()
    let again = try await desk.open()
    #expect(try again.mode(of: 1) == .forgotten)
    await again.close()
    #expect(try PlantedInbox.marks(in: desk.folder.path) == [])
  }

  /// Who forgets a person while another logs them out learns which came first.
  @Test(.feature(93), arguments: 0..<12) func forgetting_besideALogout_saysWhetherItWas(
    turn: Int
  ) async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await inbox.tell(threads: ["a": ["inbox"]])
    async let leaving: Void = {
      for _ in 0..<turn { await Task.yield() }
      _ = try? await inbox.logOut(pending: .drop)
    }()
    let isForgotten: Bool
    do {
      _ = try await inbox.setPrivacy(.forgotten)
      isForgotten = true
    } catch IntentError.loggedOut {
      isForgotten = false
    }
    await leaving
    #expect(try (store.mode(of: 1) == .forgotten) == isForgotten)
    await store.close()
  }

  /// A person may allow the use of their data again before what was to be forgotten is erased, such
  /// as when another process still reads the log.
  @Test(.feature(93)) func whatCameAfterForgetting_stays() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await inbox.tell(threads: ["a": ["inbox"]])
    try await inbox.record(PrivacyChanged { $0.mode = .forgotten }, at: desk.now)
    #expect(try inbox.object(MailThread.self, "a") == nil)
    try await inbox.setPrivacy(.unrestricted)
    try await inbox.tell(threads: ["b": ["inbox"]])
    let draft = Draft(id: inbox.newID(), account: 1)
    try await inbox.perform(.save(draft))
    await store.suspend()
    try await store.resume()
    #expect(try store.mode(of: 1) == .unrestricted)
    #expect(try inbox.object(MailThread.self, "b") != nil)
    #expect(try inbox.object(Draft.self, draft.id) != nil)
    #expect(try inbox.openOperations().map(\.kind) == [.saveDraft])
    await store.close()
  }

  private static var alert: PushPayload {
    get throws {
      try alert("r9", "planted-alert")
    }
  }

  private func leaveAlert(in desk: TestDesk) async throws {
    _ = try desk.spool.receive(Self.alert, by: .marketingCloud, at: desk.now)
  }

  @Test(arguments: [false, true]) func account_isErased_andOthersStay(
    _ isCompacted: Bool
  ) async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let other = try await store.logIn("bob@example.com", policy: .inbox)
    try await other.tell(threads: ["a": ["inbox"]])
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await PlantedInbox.plant(100, in: inbox, desk)
    if isCompacted { #expect(try await store.core.log.compactInbox(store.core)) }
    let report = try await inbox.erase()
    #expect(report.isWiped)
    #expect(try PlantedInbox.marks(in: desk.folder.path) == [])
    #expect(try store.accounts.map(\.account) == [1])
    #expect(try other.object(MailThread.self, "a")?.tagIDs == ["inbox"])
    await store.close()
  }

  @Test(arguments: [false, true]) func object_isErased_andOthersStay(
    _ isCompacted: Bool
  ) async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await PlantedInbox.plant(40, in: inbox, desk)
    let receipt = try await inbox.perform(.markRead(Message.self, ["m7"]))
    try await inbox.record(
      OperationDeferred { ($0.intent, $0.error) = (receipt.number, "planted-name-7 is busy") })
    try await inbox.record(
      OperationUncertain { ($0.intent, $0.error) = (receipt.number, "planted-name-7 is lost") })
    if isCompacted { #expect(try await store.core.log.compactInbox(store.core)) }
    let report = try await inbox.erase(Message.self, "m7")
    #expect(report.isWiped && report.recordCount > 0)
    for part in ["subject", "snippet", "name", "body"] {
      #expect(try PlantedInbox.marks("\(PlantedInbox.mark)\(part)-7", in: desk.folder.path) == [])
    }
    #expect(try inbox.object(Message.self, "m7") == nil)
    let rest = try #require(try inbox.object(Message.self, "m8"))
    let body = try inbox.text(try #require(rest.body))
    #expect(body?.hasPrefix("planted-body-8 ") == true)
    await #expect(throws: IntentError.unknown(id: "m7")) {
      try await inbox.erase(Message.self, "m7")
    }
    await store.close()
  }

  @Test(arguments: [false, true]) func pushesWithoutALogin_areErasedWithWhomTheyCountFor(
    _ isCompacted: Bool
  ) async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let other = try await store.logIn("bob@example.com", policy: .marketingCloud)
    try await Self.push("r1", "plain-one", to: store, desk)
    let inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    for _ in 0..<20 { try await inbox.tell(threads: ["a": ["inbox"]]) }
    try await Self.push("r2", "planted-two", to: store, desk)
    let response = PushResponse(try Self.alert("r3", "planted-three"))
    try await store.core.log.receive(response, by: .marketingCloud, at: desk.now)
    let silent = try PushPayload(
      json: Array(#"{"content-available": 1, "secret": "planted-silent"}"#.utf8))
    try await store.core.log.receive(silent, by: .tideline, at: desk.now)
    try await store.core.show(upTo: store.core.log.last)
    #expect(try inbox.object(RichMessage.self, "r2")?.alert == "planted-two")
    #expect(try inbox.object(RichMessage.self, "r3")?.isRead == true)
    if isCompacted { #expect(try await store.core.log.compactInbox(store.core)) }
    try await Self.push("r4", "planted-four", to: store, desk)

    #expect(try await inbox.erase(RichMessage.self, "r3").isWiped)
    #expect(try PlantedInbox.marks("planted-three", in: desk.folder.path) == [])
    #expect(try inbox.object(RichMessage.self, "r3") == nil)
    #expect(try inbox.object(RichMessage.self, "r2") != nil)
    #expect(try await inbox.erase().isWiped)
    #expect(try PlantedInbox.marks(in: desk.folder.path) == [])
    let left = try other.provider(RichMessage.self).start.list.map(\.alert)
    #expect(left == ["plain-one"])
    await store.close()
  }

  private static func alert(_ id: String, _ subject: String) throws -> PushPayload {
    let text = #"{"_sid": "SFMC", "_mt": 8, "_m": "\#(id)", "aps": {"alert": "\#(subject)"}}"#
    return try PushPayload(json: Array(text.utf8))
  }

  /// Records a push in another process, which doesn't know the login.
  private static func push(
    _ id: String, _ subject: String, to store: InboxStore, _ desk: TestDesk
  ) async throws {
    let log = try store.core.log
    try await log.receive(alert(id, subject), by: .marketingCloud, at: desk.now)
    try await store.core.show(upTo: log.last)
  }

  /// Suspending waits for one slice of an erasure, and resuming does the rest.
  @Test func suspendedMidway_isFinishedByResuming() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    var isInterrupted = false
    // On a busy machine the erasure may be over before the store is suspended.
    while !isInterrupted {
      try await PlantedInbox.plant(600, in: inbox, desk)
      let log = try store.core.log
      let forgetting = Task { try await inbox.setPrivacy(.forgotten) }
      while (try? log.isErasing) == false { await Task.yield() }
      await store.suspend()
      let outcome = await forgetting.result
      isInterrupted = try !PlantedInbox.marks(in: desk.folder.path).isEmpty
      if isInterrupted { #expect(throws: StoreError.self) { try outcome.get() } }
      try await store.resume()
      #expect(try PlantedInbox.marks(in: desk.folder.path) == [])
      #expect(try store.mode(of: 1) == .forgotten)
      #expect(try inbox.provider(Message.self).start.list.isEmpty)
      try await inbox.setPrivacy(.unrestricted)
    }
    await store.close()
  }

  /// Takes some seconds: processes are started, and killed at random moments.
  @Test func killedMidway_isFinishedByTheNextOpening() async throws {
    let seed = UInt64.random(in: 0...9999)
    var dice = SeededGenerator(seed: seed)
    var (begun, kill, delayMax) = (0, 0, 30_000)
    // A busy machine starts later.
    while begun == 0 || kill < Campaign.size(8, long: 200) {
      let desk = try TestDesk()
      let store = try await desk.open()
      let inbox = try await store.logIn("alice@example.com", policy: .inbox)
      try await PlantedInbox.plant(60, in: inbox, desk)
      await store.close()
      if begun == 0, kill > 2 { delayMax *= 2 }
      let delay = Duration.microseconds(Int.random(in: 0...delayMax, using: &dice))
      let isForgetting = Bool.random(using: &dice)
      let command = isForgetting ? "forget" : "erase"
      let lines = ["inbox \(desk.folder.path)", command]
      _ = try PushWorkerProcess.answers(to: lines, killedAfter: 1, delay: delay)
      let again = try await desk.open()
      let mode = try again.mode(of: 1)
      await again.close()
      let marks = try PlantedInbox.marks(in: desk.folder.path)
      // Either the erasure was never requested, or it is done.
      let isBegun = isForgetting ? mode == .forgotten : mode == nil
      if isBegun { begun += 1 }
      #expect(marks.isEmpty == isBegun, "seed \(seed), kill \(kill), \(command): \(marks)")
      kill += 1
    }
  }
}

extension InboxStore {
  /// Returns how an account's data may be used; `nil` if no such account exists.
  fileprivate func mode(of account: UInt32) throws -> PrivacyMode? {
    let mode = Field<Int64>("privacy", 27)
    let row = try core.read { try $0.row("\(account)", in: Account.collection) }
    return row.map { PrivacyMode(rawValue: $0[mode] ?? 0) ?? .unrestricted }
  }
}

extension Log {
  /// Replaces all records by an inbox's baseline, and returns whether that saved anything.
  func compactInbox(_ store: Store) async throws -> Bool {
    try await store.commitViews()
    return try await compact(throughInbox: last)
  }
}
