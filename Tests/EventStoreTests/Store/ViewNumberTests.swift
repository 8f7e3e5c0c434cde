import EventStore
import LMDB
import TestSupport
import Testing

/// What happens to views that a reducer no longer has, or defines differently.
@Suite(.timeLimit(.minutes(5))) struct ViewNumberTests {
  private static let rank = Field<Int>("rank", 1)
  private static let notes = RowCollection("notes", number: 1, rank)
  private static let ascending = ViewDefinition(
    "ascending", of: notes, orderedBy: [rank.ascending])
  private static let descending = ViewDefinition(
    "descending", of: notes, orderedBy: [rank.descending])
  private static let positive = ViewDefinition(
    "positive", of: notes, where: rank > 0, orderedBy: [rank.ascending])
  /// Named like ``descending``, but defined differently.
  private static let changed = ViewDefinition(
    "descending", of: notes, where: rank > 0, orderedBy: [rank.descending])

  /// A reducer that makes a row for each event.
  private struct Numbering: Reducer {
    let version = 1
    let collections = [notes]
    let views: [ViewDefinition]

    func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
      let row = try state.row("\(event.number.rawValue)", in: notes)
      state[row, rank] = Int(event.number.rawValue)
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns what is known of the views, and which of them have nodes, once an event was reduced
  /// with the given views.
  private func committed(
    _ views: ViewDefinition...
  ) async throws -> (meta: ViewsMeta, nodes: Set<UInt32>) {
    let store = try await Store.open(at: folder.path, reducer: Numbering(views: views))
    var batch = Batch()
    batch.add(Event(kind: EventKind(rawValue: 1), recordedAt: .zero)) { _ in }
    try await store.append(batch)
    try await store.commitViews()
    let environment = try store.viewsEnvironment
    let (meta, nodes): (Table<UInt64, [UInt8]>, Table<UInt64, [UInt8]>) = (
      try environment.table("meta"), try environment.table("nodes")
    )
    let found = try environment.read { transaction throws(LMDBError) in
      var views: Set<UInt32> = []
      var cursor = try transaction.cursor(over: nodes)
      while try cursor.next() { views.insert(UInt32(cursor.key.nativeInteger >> 32)) }
      return (try transaction.value(for: ViewsMeta.key, in: meta) ?? [], views)
    }
    #expect(try await store.verify().isSound)
    await store.close()
    let decoded = ViewsMeta(found.0.raw)
    return (try #require(decoded), found.1)
  }

  @Test func number_ofAViewThatIsNoMore_isNotGivenAgain() async throws {
    _ = try await committed(Self.ascending, Self.descending)
    _ = try await committed(Self.ascending)
    let views = try await committed(Self.ascending, Self.positive).meta.views
    #expect(views.map(\.number) == [1, 3])
  }

  @Test func nodes_ofAViewThatIsNoMore_areRemoved() async throws {
    #expect(try await committed(Self.ascending, Self.descending).nodes == [1, 2])
    #expect(try await committed(Self.descending).nodes == [2])
  }

  @Test func nodes_ofAViewThatWasOtherwise_areRemoved() async throws {
    _ = try await committed(Self.ascending, Self.descending)
    let found = try await committed(Self.ascending, Self.changed)
    #expect(found.nodes == [1, 3] && found.meta.former.isEmpty)
    #expect(try await committed(Self.ascending, Self.descending).nodes == [1, 4])
  }

  /// Each frame removes a limited number of nodes, from the last one on.
  @Test func nodes_thatAreMany_areRemovedByAndBy() {
    var views = [(7, 5), (8, 0), (9, 2)].map { FormerView(number: $0, last: $1) }
    var (slices, left): ([[ClosedRange<UInt64>]], [[FormerView]]) = ([], [])
    while !views.isEmpty {
      slices.append(views.takeNodes(atMost: 3))
      left.append(views)
    }
    let (seven, nine): (UInt64, UInt64) = (7 << 32, 9 << 32)
    #expect(slices[0] == [nine + 1...nine + 2, seven + 5...seven + 5])
    #expect(slices.dropFirst() == [[seven + 2...seven + 4], [seven + 1...seven + 1]])
    #expect(left.map { $0.map(\.last) } == [[4], [1], []])
  }
}
