import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// State that is sketched from facts before their turn equals the state they lead to.
@Suite struct SketchedHistoryTests {
  /// A view of all rows for each collection.
  private static let views = InboxReducer().collections.map {
    ViewDefinition("all \($0.name)", of: $0)
  }

  @Test(arguments: 0..<UInt64(12)) func histories_comeToTheSame_sketchedOrNot(seed: UInt64) throws {
    let history = InboxAuthor.history(seed: seed, count: 200)
    let (sketched, plain) = (try Self.store(seed), try Self.store(seed))
    try sketched.append(history.batch)
    // Batches of one record are never sketched.
    for step in history.steps {
      var batch = Batch()
      batch.add(step.header) { step.event?.encode(into: &$0) }
      try plain.append(batch)
    }
    #expect(sketched.mark == plain.mark, "seed \(seed)")
    #expect(sketched.refused == plain.refused, "seed \(seed)")
    #expect(try Self.rows(of: sketched) == Self.rows(of: plain), "seed \(seed)")
    try sketched.checkInvariants()
  }

  static func store(_ seed: UInt64) throws -> MemoryStore {
    var generator = SeededGenerator(seed: seed)
    return try MemoryStore(InboxReducer(views: views), using: &generator)
  }

  /// Returns everything that rows hold, including fields that only reducers see.
  static func rows(of store: MemoryStore) throws -> [[String: PayloadFields]] {
    let snapshot = store.views
    return try zip(InboxReducer().collections, views).map { collection, view in
      var rows: [String: PayloadFields] = [:]
      for row in try snapshot.rows(of: ListName(view.name), in: 0...) {
        rows[row.id] = snapshot.values(of: collection.fields, in: row.id, of: collection)
      }
      return rows
    }
  }
}
