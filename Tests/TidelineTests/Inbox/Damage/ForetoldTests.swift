import EventStore
import TestSupport
import Testing
import Tideline

/// A made-up record may hold an operation of an intent that comes later, which must not open it
/// again.
@Suite struct ForetoldTests {
  private static let views = InboxReducer().collections.map { collection in
    ViewDefinition("all \(collection.name)", of: collection)
  }
  private static let operation = StateKept.operation(onThread: "t1", intent: 8)
  private static let other = StateKept.operation(onThread: "t1", intent: 8, account: 2)
  private static let login = LoggedIn { ($0.person, $0.policy) = ("alice", .inbox) }
  private static let read = MarkRead {
    ($0.objectClass, $0.ids, $0.isRead) = (.thread, ["t1"], true)
  }

  @Test func operation_isNotOpenedAgain() async throws {
    #expect(try await operations([Self.operation]) == ["8/1/t1", "9/1/t1"])
  }

  @Test func upToAFloor_nothingIsOpened() async throws {
    #expect(try await operations([.account(1, floor: 100), Self.operation]) == ["8/1/t1"])
  }

  /// No record lowers a floor.
  @Test(arguments: [0, -1] as [Int64]) func floor_stays(later: Int64) async throws {
    let records: [any InboxEvent] = [
      StateKept.account(1, floor: 100), Self.operation, StateKept.account(1, floor: later),
      Self.login,
    ]
    #expect(try await operations(records) == ["8/1/t1"])
  }

  @Test func floor_isThatOfTheAccount() async throws {
    let records = [.account(2, floor: 100), Self.other, .account(1, floor: 0, aliases: ["2"])]
    #expect(try await operations(records, account: 2) == ["8/2/t1"])
  }

  /// What was foretold is no row that a record keeps.
  @Test func note_stays() async throws {
    var row = RowKept()
    (row.collection, row.id, row.values.fields) = (20, "operations", [1: .integer(0)])
    let kept = StateKept {
      $0.texts.put(.id, "t1")
      $0.rows = [row]
    }
    let records = [Self.operation, kept]
    #expect(try await operations(records) == ["8/1/t1", "9/1/t1"])
  }

  /// An object's new id would give its operation the name of another's.
  @Test func operation_ofAnotherName_isNotOpenedAgain() async throws {
    var kept = Self.operation
    kept.rows[1].id = "odd"
    let replaced = IDReplaced { ($0.objectClass, $0.old, $0.new) = (.thread, "t1", "m1") }
    let message = ObjectFact(
      .message,
      ObjectFields {
        $0.put(.id, "m1")
        $0.put(.isUnread, true)
      })
    let read = MarkRead { ($0.objectClass, $0.ids, $0.isRead) = (.message, ["m1"], true) }
    #expect(try await operations([kept, replaced, message], then: read).contains("8/1/m1"))
  }

  /// A part of an intent may find what another record opened by the name.
  @Test func part_opensNothingAgain() async throws {
    let rest = MarkAll { ($0.objectClass, $0.action) = (.thread, .deleted) }
    let records = [StateKept.operation(onThread: "t1", intent: 1)]
    #expect(try await operations(records, last: rest) == ["1/1/t1", "8/1/t1"])
  }

  /// Returns the operations after a login, some records, an intent as record 8, and one as record
  /// 9, which is a further part if it is given.
  private func operations(
    _ records: [any InboxEvent], account: UInt32 = 1, then intent: any InboxEvent = read,
    last: (any InboxEvent)? = nil
  ) async throws -> [String] {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    var batch = Batch()
    func add(_ event: any InboxEvent, _ cause: Event.Reference? = nil) {
      batch.add(
        event, recordedAt: Timestamp(rawValue: 1_700_000_000_000),
        login: Login(account: account, epoch: 1), cause: cause)
    }
    add(Self.login)
    records.forEach { add($0) }
    while batch.count < 7 { add(RefreshBegan()) }
    add(intent)
    if let last { add(last, .sameBatch(7)) } else { add(intent) }
    try await log.append(batch)
    let replay = try Replay(log, reducer: InboxReducer(views: Self.views), at: log.last)
    try replay.checkInvariants()
    let list = ListName("all \(Operations.collection.name)")
    let rows = try replay.views.rows(of: list, in: 0...)
    await log.close()
    return rows.map(\.id).sorted()
  }
}
