import EventStore
import Synchronization
import TestSupport
import Testing

/// Names that people take, give up and pass on.
private struct People: Reducer {
  static let nick = Field<String>("nick", 1)
  static let people = RowCollection("people", number: 1, nick)
  static let put = EventKind(rawValue: 1)
  static let name = EventKind(rawValue: 2)
  /// Each of two rows becomes another name of the other, by the rows that both names found before.
  static let cross = EventKind(rawValue: 3)
  static let remove = EventKind(rawValue: 4)
  static let release = EventKind(rawValue: 5)

  let version = 1
  let collections = [people]
  let views = [ViewDefinition("all", of: people)]

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    guard let fields = try? PayloadFields(decoding: event.payload),
      case .text(let id)? = fields[1], case .text(let text)? = fields[2]
    else { throw Refusal("nobody is named") }
    switch event.header.kind {
    case Self.put: state[try state.row(id, in: Self.people), Self.nick] = text
    case Self.name:
      guard let row = state.find(text, in: Self.people) else { throw Refusal("nobody") }
      try state.alias(id, to: row)
    case Self.remove:
      guard let row = state.find(id, in: Self.people) else { throw Refusal("nobody") }
      state.delete(row)
    case Self.release: state.release(id, in: Self.people)
    default:
      let (one, other) = (
        try state.row(id, in: Self.people), try state.row(text, in: Self.people)
      )
      try state.alias(id, to: other)
      try state.alias(text, to: one)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct OtherNameTests {
  @Test func name_thatIsPassedOn_leavesTheRowThatHadIt() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: People())
    let told = Mutex<[String?]>([])
    let watched = try store.watch("bob", in: People.people) { change in
      told.withLock { $0.append(change.new?.id) }
    }
    try await append(People.put, [("7", "seven"), ("9", "nine")], to: store)
    for id in ["7", "9", "7"] { try await append(People.name, [("bob", id)], to: store) }
    try expect(["7": "7", "9": "9", "bob": "7"], store)
    #expect(told.withLock { $0 } == ["7", "9", "7"])
    watched.end()
    // The same holds where one batch gives the name twice, and for committed rows.
    try await append(People.name, [("ann", "7"), ("ann", "9")], to: store)
    try await store.commitViews()
    try await append(People.name, [("bob", "9")], to: store)
    try expect(["7": "7", "9": "9", "bob": "9", "ann": "9"], store)
    #expect(try await store.verify().isSound)
    await store.close()
  }

  /// A deleted row stays deleted when one of its names is passed on, and only that name finds a
  /// row.
  @Test func name_ofADeletedRow_goesOverAlone() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: People())
    let told = Mutex<[String?]>([])
    let watched = try store.watch("bob", in: People.people) { change in
      told.withLock { $0.append(change.new?.id) }
    }
    try await append(People.put, [("7", "seven"), ("9", "nine")], to: store)
    try await append(People.name, [("bob", "7"), ("ann", "7")], to: store)
    try await append(People.remove, [("7", "")], to: store)
    try await store.commitViews()
    try await append(People.name, [("bob", "9")], to: store)
    try expect(["9": "9", "bob": "9", "ann": nil, "7": nil], store)
    #expect(told.withLock { $0 } == ["7", nil, "9"])
    watched.end()
    try await append(People.put, [("ann", "seven again")], to: store)
    try expect(["9": "9", "bob": "9", "ann": "7", "7": "7"], store)
    #expect(try await store.verify().isSound)
    await store.close()
  }

  /// A name that is given up finds nobody until somebody of their own has it.
  @Test func name_thatIsGivenUp_canBeAnId() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: People())
    let told = Mutex<[String?]>([])
    let watched = try store.watch("bob", in: People.people) { change in
      told.withLock { $0.append(change.new?.id) }
    }
    try await append(People.put, [("7", "seven")], to: store)
    try await append(People.name, [("bob", "7"), ("ann", "7")], to: store)
    try await store.commitViews()
    try await append(People.release, [("bob", ""), ("7", ""), ("nobody", "")], to: store)
    try expect(["7": "7", "ann": "7", "bob": nil], store)
    try await append(People.put, [("bob", "another")], to: store)
    try expect(["7": "7", "ann": "7", "bob": "bob"], store)
    #expect(told.withLock { $0 } == ["7", nil, "bob"])
    watched.end()
    #expect(try await store.verify().isSound)
    await store.close()
  }

  /// A deleted row whose own id is passed on is merged into the other row, with all its names.
  @Test func idOfADeletedRow_goesOverWithItsNames() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: People())
    try await append(People.put, [("7", "seven"), ("9", "nine")], to: store)
    try await append(People.name, [("bob", "7")], to: store)
    try await append(People.remove, [("7", "")], to: store)
    try await append(People.name, [("7", "9")], to: store)
    try expect(["9": "9", "bob": "9", "7": "9"], store)
    #expect(try await store.verify().isSound)
    await store.close()
  }

  @Test func rows_thatBecomeNamesOfEachOther_areOne() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: People())
    try await append(People.cross, [("a", "b")], to: store)
    try expect(["a": "b", "b": "b"], store)
    await store.close()
  }

  private func append(
    _ kind: EventKind, _ events: [(String, String)], to store: Store
  ) async throws {
    var batch = Batch()
    for (id, text) in events {
      batch.add(Event(kind: kind, recordedAt: .zero)) { payload in
        payload.put(1, id)
        payload.put(2, text)
      }
    }
    try await store.append(batch)
  }

  /// Expects each id to find the given row or none, and no other rows to exist.
  private func expect(_ found: [String: String?], _ store: Store) throws {
    try store.read { snapshot in
      for (id, row) in found {
        let id = try snapshot.row(id, in: People.people)?.id
        #expect(id == row)
      }
      let all = try snapshot.rows(of: "all", in: 0...).map(\.id)
      #expect(all == Set(found.values.compactMap { $0 }).sorted())
    }
  }
}
