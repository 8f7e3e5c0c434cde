import EventStore
import TestSupport
import Testing

/// The to-do list that the first page of the module shows.
@Suite(.timeLimit(.minutes(5))) struct EventStorePageTests {
  // EventStore.md begins
  struct ToDo: Reducer {
    static let title = Field<String>("title", 1)
    static let isDone = Field<Bool>("isDone", 2)
    static let due = Field<Timestamp>("due", 3)
    static let tasks = RowCollection("tasks", number: 1, title, isDone, due)

    static let added = EventKind(rawValue: 1)
    static let finished = EventKind(rawValue: 2)

    let version = 1
    let collections = [tasks]
    let views = [
      ViewDefinition("open", of: tasks, where: isDone == false, orderedBy: [due.ascending])
    ]

    func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
      guard let fields = try? PayloadFields(decoding: event.payload),
        case .text(let id)? = fields[1]
      else { throw Refusal("no task is named") }
      switch event.header.kind {
      case Self.added:
        guard case .text(let title)? = fields[2], case .integer(let due)? = fields[3]
        else { throw Refusal("the task has no title, or is never due") }
        try state.edit(try state.row(id, in: Self.tasks)) { task in
          task[Self.title] = title
          task[Self.isDone] = false
          task[Self.due] = Timestamp(rawValue: due)
        }
      case Self.finished:
        if let task = state.find(id, in: Self.tasks) { state[task, Self.isDone] = true }
      default: break
      }
    }
  }
  // EventStore.md ends

  @Test func tasks_areShown_missed_andReadInTheLog() async throws {
    let parent = try TemporaryFolder()
    let folder = parent.path
    // EventStore.md begins
    let now = Timestamp(rawValue: 1_700_000_000_000)
    let store = try await Store.open(at: folder, reducer: ToDo())
    let open = try store.live("open", window: 0..<50, countsExactly: true)
    print(open.start.rows.count, "shown of", open.start.total ?? 0)

    var batch = Batch()
    batch.add(Event(kind: ToDo.added, recordedAt: now)) { payload in
      payload.put(1, "milk")
      payload.put(2, "Buy milk")
      payload.put(3, now.rawValue)
    }
    let receipt = try store.submit(batch)
    try await receipt.durable()  // It was shown before; now it survives a loss of power, too.

    for await change in open.changes {
      for removal in change.set.edits.removals { print("gone: row", removal.index) }
      for insertion in change.set.edits.insertions {
        print("row", insertion.index, "is now", insertion.row[ToDo.title] ?? "")
      }
      break
    }
    // EventStore.md ends
    // EventStore.md begins
    var (rows, position) = (open.start.rows, open.start.position)
    if let missed = try store.changes(
      of: "open", window: 0..<50, countsExactly: true, since: position)
    {
      rows = missed.applying(to: rows)
      position = missed.to
    }
    await store.close()
    // EventStore.md ends
    #expect(rows.map { $0[ToDo.title] } == ["Buy milk"])
    #expect(position.number == 1)
    try await read(folder)
  }

  private func read(_ folder: String) async throws {
    // EventStore.md begins
    let log = try await Log.open(at: "\(folder)/log")
    let last = try log.last
    for try await record in log.records(from: 1) {
      print(record.json())
      if record.number == last { break }
    }
    // EventStore.md ends
    #expect(last == 1)
    await log.close()
  }

  /// What the page leaves out: a finished task is no longer shown.
  @Test func task_thatIsDone_isGone() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: ToDo())
    let now = Timestamp(rawValue: 0)
    var batch = Batch()
    batch.add(Event(kind: ToDo.added, recordedAt: now)) { payload in
      payload.put(1, "milk")
      payload.put(2, "Buy milk")
      payload.put(3, now.rawValue)
    }
    batch.add(Event(kind: ToDo.finished, recordedAt: now)) { $0.put(1, "milk") }
    try await store.submit(batch).visible()
    #expect(try store.live("open", window: 0..<50).start.rows.isEmpty)
    await store.close()
  }
}
