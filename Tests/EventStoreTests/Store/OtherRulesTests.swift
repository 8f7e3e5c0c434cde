import EventStore
import Foundation
import TestSupport
import Testing
import ToyDomains

/// Rules for a line in which each row knows who was first when it came.
private struct Line: Reducer {
  static let rank = Field<Int>("rank", 1)
  static let first = Field<String>("first", 2)
  static let people = RowCollection("people", number: 1, rank, first)

  let version = 1
  let collections = [people]
  let views: [ViewDefinition]

  /// - Parameters:
  ///   - direction: The order of the line, whose first one each newcomer notes.
  ///   - other: The version of a view that no one asks.
  init(_ direction: SortField.Direction, other: UInt32 = 1) {
    views = [
      ViewDefinition(
        "line", of: Self.people, orderedBy: [SortField(Self.rank.declaration, direction)]),
      ViewDefinition("other", of: Self.people, version: other),
    ]
  }

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    let first = state.rows(in: "line", at: 0..<1).first.map { state.id(of: $0) }
    let row = try state.row("p\(event.number)", in: Self.people)
    state[row, Self.rank] = Int(event.number.rawValue)
    state[row, Self.first] = first
  }
}

/// Views on disk, and a process that would define them differently.
@Suite(.timeLimit(.minutes(5))) struct OtherRulesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func generations() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "views"))
      .filter { Int($0) != nil }.sorted()
  }

  private func append(_ count: Int, to store: Store) async throws {
    var batch = Batch()
    for _ in 0..<count { batch.add(Event(kind: EventKind(rawValue: 1), recordedAt: .zero)) }
    try await store.append(batch)
  }

  /// Returns who was first, for each of the rows.
  private func firsts(_ store: Store) throws -> [String?] {
    try store.read { try $0.rows(of: "other", in: 0...).map { $0[Line.first] } }
  }

  /// A view that the reducer asks decides what it makes of rows, so changing it rebuilds
  /// everything.
  @Test func viewThatTheReducerAsks_definedOtherwise_hasAllMadeAnew() async throws {
    var store = try await Store.open(at: folder.path, reducer: Line(.ascending))
    try await append(3, to: store)
    #expect(try firsts(store) == [nil, "p1", "p1"])
    await store.close()
    let before = try generations()

    store = try await Store.open(at: folder.path, reducer: Line(.ascending, other: 2))
    #expect(try generations() == before)
    await store.close()

    store = try await Store.open(at: folder.path, reducer: Line(.descending, other: 2))
    #expect(try firsts(store) == [nil, "p1", "p2"])
    #expect(try generations() != before)
    try await append(1, to: store)
    #expect(try firsts(store) == [nil, "p1", "p2", "p3"])
    #expect(try await store.verify().isSound)
    await store.close()
  }

  /// A process can't open a store that another one keeps with different rules, and is told so.
  @Test func process_thatMakesViewsOtherwise_isToldSo() async throws {
    let keeper = try Worker(.init(program: "StoreWorker"))
    #expect(try await keeper.ask("open \(folder.path) next") == "done")
    #expect(try await keeper.ask("append 1 40") == "40")
    var options = Store.Options()
    options.keeperPatience = .milliseconds(20)
    let (reducer, patient) = (Todo.rules(Todo.views), options)
    let error = StoreError.otherRules(path: folder.path(of: "views"))
    await #expect(throws: error) {
      try await Store.open(at: folder.path, reducer: reducer, options: patient)
    }
    #expect(
      error.description
        == "Another process maintains the views in \(folder.path(of: "views")) with different "
        + "rules, as another version of the program would. Close the store there, or open it here "
        + "with the same reducer.")
    #expect(try await keeper.ask("close") == "done")
    let store = try await Store.open(at: folder.path, reducer: reducer, options: patient)
    await store.close()
  }

  /// A follower can't switch to what a newer version of the program commits, so it would have to
  /// hold ever more in memory.
  @Test func follower_ofViewsThatAreThenMadeOtherwise_ends() async throws {
    let (old, new) = (
      try Worker(.init(program: "StoreWorker")), try Worker(.init(program: "StoreWorker"))
    )
    #expect(try await old.ask("open \(folder.path)") == "done")
    #expect(try await old.ask("append 1 40") == "40")
    var options = Store.Options()
    options.log.isReadOnly = true
    let follower = try await Store.open(
      at: folder.path, reducer: Trouble(Todo.rules(Todo.views), version: 1), options: options)
    #expect(try await old.ask("close") == "done")
    #expect(try await new.ask("open \(folder.path) next") == "done")
    #expect(try await new.ask("append 2 40") == "80")
    while follower.failure == nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(follower.failure == .otherRules(path: folder.path(of: "views")))
    await follower.close()
    await old.killed()
    await new.killed()
  }
}
