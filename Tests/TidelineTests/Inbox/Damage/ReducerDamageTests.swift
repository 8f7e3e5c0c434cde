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
      }
      refused += try replay.refused().count
      kept += try objects(in: replay)
      open += try rows(Operations.collection, replay).count
      await log.close()
    }
    let counts = "\(refused) refused, \(kept) objects, \(open) operations"
    #expect(refused > 100 && kept > 100 && open > 50, "\(counts)")
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
