import EventStore
import TestSupport
import Testing
import Tideline
import TidelineReplay

/// Minimal logs that show a fault.
@Suite struct FixtureTests {
  private let login = Login(account: 1, epoch: 1)

  /// What was asked before an action was asked before it in the fixture, too, whichever records in
  /// between are left out, and no record takes the place of one that is left out.
  @Test func numbersOfRecordsThatAreLeftOut_becomeNoOthers() async throws {
    let (folder, bugs) = (try TemporaryFolder(), try TemporaryFolder())
    let log = try await Log.open(at: folder.path)
    var batch = Batch()
    func add(_ event: some InboxEvent, exchange: RecordNumber? = nil) {
      let time = Timestamp(rawValue: 1_763_719_200_000 + Int64(batch.count) * 1000)
      batch.add(event, recordedAt: time, login: login, exchange: exchange.map { .record($0) })
    }
    func tell(_ id: String, exchange: RecordNumber? = nil) {
      let fields = ObjectFields {
        $0.put(.id, id)
        $0.put(.tags, ["inbox", "unread"].map { ObjectLabel($0) })
      }
      add(ObjectFact(.thread, fields), exchange: exchange)
    }
    add(LoggedIn { ($0.person, $0.policy.readsOwnWrites) = ("a", true) })
    tell("t1")
    add(MarkRead { ($0.objectClass, $0.ids, $0.isRead) = (.thread, ["t2"], true) })
    for _ in 4...6 { tell("t9") }
    add(MarkRead { ($0.objectClass, $0.ids, $0.isRead) = (.thread, ["t1"], true) })
    add(OperationAcknowledged { ($0.intent, $0.status) = (7, 200) })
    add(Exchange { ($0.request, $0.objectClass, $0.sentAfter) = (.page, .thread, 6) })
    tell("t1", exchange: 9)
    // An outcome of an intent that is left out, whose number another record has in the fixture.
    add(OperationRejected { $0.intent = 3 })
    try await log.append(batch)
    let text = "!threads(1/t1).tagIDs has unread"
    let past = try InboxReplay(log, at: log.last)
    let question = try PastQuestion(text, of: past.replay)
    #expect(try question.isSo(past.replay))
    let fixture = try await Fixture.write(
      [1, 2, 7, 8, 9, 10, 11], of: log, question, to: bugs.path(of: "bug"))
    #expect(try fixture.isSo)
    await fixture.log.close()
    await log.close()
  }
}
