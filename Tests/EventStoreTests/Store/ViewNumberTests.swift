import EventStore
import LMDB
import TestSupport
import Testing

/// What becomes of views that a reducer has no more, or has otherwise.
@Suite(.timeLimit(.minutes(1))) struct ViewNumberTests {
  private static let rank = Field<Int>("rank", 1)
  private static let notes = RowCollection("notes", number: 1, rank)
  private static let ascending = ViewDefinition(
    "ascending", of: notes, orderedBy: [rank.ascending])
  private static let descending = ViewDefinition(
    "descending", of: notes, orderedBy: [rank.descending])
  private static let positive = ViewDefinition(
    "positive", of: notes, where: rank > 0, orderedBy: [rank.ascending])

  /// Each event makes a row.
  private struct Numbering: Reducer {
    let version = 1
    let collections = [notes]
    let views: [ViewDefinition]

    func reduce(_ event: borrowing RecordView, into state: inout State) throws(Refusal) {
      let row = try state.row("\(event.number.rawValue)", in: notes)
      state[row, rank] = Int(event.number.rawValue)
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What is known of the views once an event was reduced with these ones.
  private func committed(_ views: ViewDefinition...) async throws -> ViewsMeta {
    let store = try await Store.open(at: folder.path, reducer: Numbering(views: views))
    var batch = Batch()
    batch.add(Event(kind: EventKind(rawValue: 1), recordedAt: .zero)) { _ in }
    try await store.append(batch)
    try await store.commitViews()
    let environment = try store.viewsEnvironment
    let meta: Table<UInt64, [UInt8]> = try environment.table("meta")
    let bytes = try environment.read { transaction throws(LMDBError) in
      try transaction.value(for: ViewsMeta.key, in: meta) ?? []
    }
    #expect(try await store.verify().isSound)
    await store.close()
    let decoded = ViewsMeta(bytes.raw)
    return try #require(decoded)
  }

  @Test func number_ofAViewThatIsNoMore_isNotGivenAgain() async throws {
    _ = try await committed(Self.ascending, Self.descending)
    _ = try await committed(Self.ascending)
    let views = try await committed(Self.ascending, Self.positive).views
    #expect(views.map(\.number) == [1, 3])
  }
}
