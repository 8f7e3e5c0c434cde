import EventStore
import LMDB
import TestSupport
import Testing

/// A reducer that asks for a damaged row is not told that the row does not exist: keeping the views
/// ends.
@Suite(.timeLimit(.minutes(5))) struct StateDamageTests {
  @Test(arguments: [Asking.first, Asking.otherName])
  func question_aboutADamagedRow_endsTheKeeping(_ question: EventKind) async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Asking())
    try await append([Asking.subject, Asking.bystander], to: store)
    try await store.commitViews()
    let environment = try store.viewsEnvironment
    let rows: Table<UInt64, [UInt8]> = try environment.table("rows-1")
    try environment.write(.none) { transaction throws(LMDBError) in
      try transaction.put([1, 2, 3], for: 1, in: rows)
    }
    // From then on, reads see the damaged bytes.
    try await append([Asking.bystander], to: store)
    try await store.commitViews()
    try await append([question], to: store)
    await #expect(throws: StoreError.self) { try await store.commitViews() }
    #expect(throws: StoreError.self) { try store.read { $0.position } }
    await store.close()

    let reopened = try await Store.open(at: folder.path, reducer: Asking())
    #expect(try reopened.read { try $0.row("answer", in: Asking.notes) } != nil)
    await reopened.close()
  }

  private func append(_ kinds: [EventKind], to store: Store) async throws {
    var batch = Batch()
    for kind in kinds { batch.add(Event(kind: kind, recordedAt: .zero)) { _ in } }
    try await store.append(batch)
  }
}

/// A reducer that makes a row if another one exists.
private struct Asking: Reducer {
  /// Makes the first row, and gives it another id.
  static let subject = EventKind(rawValue: 1)
  /// Makes another row, or changes it.
  static let bystander = EventKind(rawValue: 2)
  /// Asks whether the first row exists.
  static let first = EventKind(rawValue: 3)
  /// Asks for the first row by its other id.
  static let otherName = EventKind(rawValue: 4)

  static let rank = Field<Int>("rank", 1)
  static let notes = RowCollection("notes", number: 1, rank)

  let version = 1
  let collections = [notes]
  let views = [ViewDefinition("all", of: notes, orderedBy: [rank.ascending])]

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    let number = Int(event.number.rawValue)
    switch event.header.kind {
    case Self.subject:
      let row = try state.row("subject", in: Self.notes)
      state[row, Self.rank] = number
      try state.alias("other", to: row)
    case Self.bystander:
      let row = try state.row("bystander", in: Self.notes)
      state[row, Self.rank] = number
    case Self.first:
      guard let row = state.rows(in: "all").first, state.isPresent(row) else { return }
      _ = try state.row("answer", in: Self.notes)
    case Self.otherName:
      guard state.find("other", in: Self.notes) != nil else { return }
      _ = try state.row("answer", in: Self.notes)
    default: break
    }
  }
}
