import EventStore
import TestSupport
import Testing
import Tideline

/// Whatever records say, the resulting state is consistent and consists of valid objects.
@Suite(.timeLimit(.minutes(10))) struct ReducerDamageTests {
  private static let views = InboxReducer().collections.map { collection in
    ViewDefinition("all \(collection.name)", of: collection)
  }

  // Takes some seconds: the test reduces thousands of odd records and checks everything.
  @Test func oddRecords_areReducedOrRefused() async throws {
    var (refused, kept, open) = (0, 0, 0)
    for seed in 0..<UInt64(Campaign.size(24, long: 2_000)) {
      let folder = try TemporaryFolder()
      let log = try await Log.open(at: folder.path)
      var author = OddAuthor(seed: seed)
      try await log.append(author.batch(of: 300), durability: .relaxed)
      let replay = try Replay(log, reducer: InboxReducer(views: Self.views), at: 0)
      for number in stride(from: UInt64(50), through: 300, by: 50) {
        try replay.advance(to: RecordNumber(rawValue: number))
        try replay.checkInvariants()
        try expectReadable(replay, at: RecordNumber(rawValue: number))
      }
      refused += try replay.refused().count
      kept += try objects(in: replay)
      open += try rows(Operations.collection, replay).count
      await log.close()
    }
    let counts = "\(refused) refused, \(kept) objects, \(open) operations"
    #expect(refused > 100 && kept > 100 && open > 50, "\(counts)")
  }

  /// The number of an intent in a row may be any if a damaged record set it.
  @Test(arguments: [.min, -1, 0, 1, 2, 3, .max] as [Int64])
  func operation_ofAnOddIntent_isReadable(intent: Int64) async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    var batch = Batch()
    let login = Login(account: 1, epoch: 1)
    let kept = StateKept.operation(onThread: "t1", intent: intent) { $0[8] = .integer(.max) }
    for event in [
      LoggedIn { ($0.person, $0.policy) = ("alice", .inbox) }, kept, kept,
      OperationStarted { $0.intent = RecordNumber(rawValue: UInt64(clamping: intent)) },
    ] as [any InboxEvent] {
      batch.add(event, recordedAt: Timestamp(rawValue: 1_700_000_000_000), login: login)
    }
    try await log.append(batch)
    let replay = try Replay(log, reducer: InboxReducer(views: Self.views), at: log.last)
    #expect(try rows(Operations.collection, replay).count == 1)
    try expectReadable(replay, at: try log.last)
    await log.close()
  }

  /// A made-up record of kept rows may hold any action on any object.
  @Test func operation_thatItsObjectCanNotHave_isRefused() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    var (batch, fitting) = (Batch(), 0)
    func add(_ event: some InboxEvent) {
      batch.add(
        event, recordedAt: Timestamp(rawValue: 1_700_000_000_000),
        login: Login(account: 1, epoch: 1))
    }
    add(LoggedIn { ($0.person, $0.policy) = ("alice", .inbox) })
    for kind in ObjectKind.all {
      for action in 1...11 {
        for objectClass in ObjectClass.allCases {
          let id = "\(kind.objectClass) \(action) \(objectClass)"
          var kept = StateKept.operation(onThread: id, intent: 1) {
            $0[4] = .integer(Int64(action))
            $0[5] = .integer(objectClass.rawValue)
          }
          kept.rows[0].collection = Int64(kind.collection.number)
          add(kept)
          add(ObjectFact(kind.objectClass, ObjectFields { $0.put(.id, id) }))
          add(OperationAcknowledged { ($0.intent, $0.item) = (1, id) })
          if ObjectKind.of(objectClass) === kind { fitting += 1 }
        }
      }
    }
    try await log.append(batch, durability: .relaxed)
    let replay = try Replay(log, reducer: InboxReducer(views: Self.views), at: log.last)
    try replay.checkInvariants()
    let all = ObjectKind.all.count * 11 * ObjectClass.allCases.count
    #expect(try replay.refused().count > all - fitting)
    await log.close()
  }

  /// Reads operations and objects as apps do, and makes the baseline that would replace the log;
  /// nothing may trap.
  private func expectReadable(_ replay: Replay, at number: RecordNumber) throws {
    for row in try rows(Operations.collection, replay) {
      guard let operation = OpenOperation(row), let account = row[Operations.account] else {
        continue
      }
      _ = try replay.standing(
        of: operation.id, .thread, in: UInt32(truncatingIfNeeded: account))
    }
    // An intent whose own record is damaged can't be written again.
    _ = try? InboxBaseline(replay, at: number)?.records(after: .zero)
  }

  /// Returns the number of rows, each of which must be a valid object.
  private func objects(in replay: Replay) throws -> Int {
    try count(Account.self, replay) + count(MailThread.self, replay) + letters(replay)
      + count(InboxTag.self, replay) + count(Contact.self, replay) + count(InboxFile.self, replay)
      + count(RichMessage.self, replay)
  }

  private func rows(_ collection: RowCollection, _ replay: Replay) throws -> [Row] {
    try replay.views.rows(of: ListName("all \(collection.name)"), in: 0...)
  }

  private func count<Object: Model>(_ type: Object.Type, _ replay: Replay) throws -> Int {
    let shown = try rows(Object.collection, replay).filter(Object.includes)
    for row in shown { #expect(try Object(row)?.row().id == row.id, "\(type): \(row)") }
    return shown.count
  }

  private func letters(_ replay: Replay) throws -> Int {
    let rows = try rows(Message.collection, replay)
    #expect(rows.allSatisfy { !(Message.includes($0) && Draft.includes($0)) })
    return try count(Message.self, replay) + count(Draft.self, replay)
  }
}
