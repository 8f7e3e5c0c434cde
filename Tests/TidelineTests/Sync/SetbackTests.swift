import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Records that were visible and are lost, so that others get their numbers.
@Suite(.timeLimit(.minutes(5))) struct SetbackTests {
  private static let login = Login(account: 1, epoch: 1)
  private static let now = Timestamp(rawValue: 1_750_000_000_000)

  private static func thread(_ id: String) -> ObjectFact {
    ObjectFact(.thread, ObjectFields { $0.put(.id, id) })
  }

  /// A machine, and a store in memory that may lose its last records.
  private final class Desk {
    private var memory: MemoryStore
    private var batches: [Batch] = []
    private var machine: SyncMachine

    /// Creates a desk where somebody has logged in, and there are three threads.
    init(_ abilities: ServerAbilities) throws {
      memory = try Self.empty()
      machine = SyncMachine(SetbackTests.login, abilities, seed: 7)
      try append(LoggedIn { ($0.person, $0.policy) = ("alice", .inbox) })
      for id in ["a", "b", "c"] { try append(SetbackTests.thread(id)) }
    }

    private static func empty() throws -> MemoryStore {
      var generator = SeededGenerator(seed: 1)
      return try MemoryStore(InboxReducer(), using: &generator)
    }

    private func append(_ event: some InboxEvent) throws {
      var batch = Batch()
      batch.add(event, recordedAt: SetbackTests.now, login: SetbackTests.login)
      try memory.append(batch)
      batches.append(batch)
    }

    /// Replaces the last two records by three others.
    func lose() throws {
      batches.removeLast(2)
      let former = memory
      memory = try Self.empty()
      for batch in batches { try memory.append(batch) }
      memory.succeed(former)
      for id in ["d", "e", "f"] { try append(SetbackTests.thread(id)) }
    }

    func take(_ event: SyncEvent) throws -> [SyncAction] {
      try machine.take(event, memory.views, at: SetbackTests.now)
    }

    func covers(_ number: RecordNumber) throws -> Bool {
      try machine.standing(memory.views, at: SetbackTests.now).covers(number)
    }
  }

  /// Otherwise the answer would count as newer than records that came after the question.
  @Test(arguments: [true, false]) func question_countsAsAskedBeforeWhatCameSince(
    isLost: Bool
  ) throws {
    let desk = try Desk(.sink)
    let look = SyncEvent.looked(.object(.thread, id: "a"))
    let asked = try #require(try desk.take(look).asked.first)
    #expect(asked.askedAfter == 4)
    if isLost { try desk.lose() }
    let answer = Answer { $0.facts = [Self.thread("a")] }
    let actions = try desk.take(.answered(asked, .success(answer)))
    let numbers = actions.compactMap { action in
      if case .take(let delivery, _, _) = action { delivery.askedAfter } else { nil }
    }
    let expected: RecordNumber = isLost ? 2 : 4
    #expect(numbers == [expected])
  }

  /// Otherwise callers would be told that everything is here when the server has more.
  @Test func refresh_coversNothingThatCameSince() throws {
    let desk = try Desk(.rich)
    let asked = try #require(try desk.take(.began).asked.first)
    _ = try desk.take(.answered(asked, .success(Answer())))
    #expect(try desk.covers(4))
    try desk.lose()
    #expect(try desk.take(.recorded).asked.isEmpty)
    #expect(try desk.covers(2))
    #expect(try !desk.covers(3))
    let again = try desk.take(.awaited(4)).asked
    #expect(again.map(\.askedAfter) == [5])
    _ = try desk.take(.answered(try #require(again.first), .success(Answer())))
    #expect(try desk.covers(5))
  }

  /// A refresh that began before the loss is not enough for who waits.
  @Test(arguments: [true, false]) func refreshUnderWay_isFollowedByAnother(isLost: Bool) throws {
    let desk = try Desk(.rich)
    let asked = try #require(try desk.take(.began).asked.first)
    #expect(try desk.take(.awaited(4)).asked.isEmpty)
    if isLost { try desk.lose() }
    let again = try desk.take(.answered(asked, .success(Answer()))).asked
    #expect(again.count == (isLost ? 1 : 0))
  }

  /// A caller whose position is lost waits for what is there instead, not until the log has grown.
  @Test func caughtUp_doesNotWaitForAPositionThatIsNotThere() async throws {
    let other = try TestDesk()
    let store = try await other.open()
    let elsewhere = try await store.logIn("alice@example.com", policy: .inbox)
    for _ in 0..<100 { try await elsewhere.record(Self.thread("a")) }
    let position = try store.read { $0.position }
    await store.close()
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: PlayedServer(.rich))
      sync.start()
      try await sync.caughtUp(with: position)
      #expect(sync.status.upToDateAt != nil)
      sync.stop()
    }
  }

  /// The number of an operation that was lost may be another's.
  @Test func lostOperation_hasNoReceipt() async throws {
    let desk = try TestDesk()
    var options = desk.options
    options.core.log.mapSizeMax = 2 << 20
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await inbox.tell(threads: ["a": ["inbox", "unread"]])
    let kept = try await inbox.perform(.markRead(MailThread.self, ["a"]))
    try await store.core.commitViews()
    let before = try store.core.read { $0.setbacks.count }
    let much = String(repeating: "x", count: 3 << 20)
    // Whether a record is shown before it is in the log depends on what else is going on.
    while try store.core.read({ $0.setbacks.count }) == before {
      let draft = Draft(id: inbox.newID(), account: inbox.account)
      _ = try? await inbox.perform(.save(draft, body: much))
      try await Task.sleep(for: .milliseconds(10))
    }
    let lost = try store.core.log.last.advanced(by: 1)
    let floor = try #require(try store.core.read { $0.setbacks.floor(since: before) })
    #expect(kept.number <= floor && floor < lost)
    #expect(IntentReceipt(seen: kept.number, in: inbox, since: before)?.number == kept.number)
    #expect(IntentReceipt(seen: lost, in: inbox, since: before) == nil)
    #expect(try inbox.openOperations().map(\.receipt?.number) == [kept.number])
    await store.close()
  }
}
