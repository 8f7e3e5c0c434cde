import EventStore
import LMDB
import TestSupport
import Testing
import ToyDomains

/// What would have been, compared with plain models of what would have happened.
@Suite(.timeLimit(.minutes(5))) struct WhatIfTests {
  private static let seeds = 0..<UInt64(Campaign.size(8, long: 200))

  @Test(arguments: seeds) func nothingChanged_isEmpty(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Todo>(seed: seed)
    for _ in 0..<15 { try await history.step() }
    let snapshots = try SnapshotFolderTests.snapshots(of: &history, countMax: 4)
    let (log, last) = (try history.store.log, RecordNumber(history.plain.count))
    let number = RecordNumber(Int.random(in: 1...history.plain.count, using: &history.generator))
    let record = try #require(try log.read { try $0.record(number) })
    for from in [snapshots, nil] {
      let replay = try Replay(log, reducer: history.rules, at: 0, from: from)
      for edits in [[], [LogEdit.patch(number, payload: record.payload)]] {
        let found = try replay.whatIf(EditedLog(log, edits), at: last)
        #expect(found.isEmpty && replay.position.number == last, "seed \(seed): \(found)")
      }
      let moved = LogEdit.move(number, after: number.advanced(by: -1))
      let found = try replay.whatIf(EditedLog(log, [moved]), at: last)
      #expect(found.isEmpty, "seed \(seed): \(found)")
    }
    snapshots.close()
    await history.store.close()
  }

  @Test(arguments: seeds) func edits_areThoseOfThePlainModel(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Todo>(seed: seed)
    for _ in 0..<15 { try await history.step() }
    let snapshots = try SnapshotFolderTests.snapshots(of: &history, countMax: 4)
    let (log, last) = (try history.store.log, history.plain.count)
    var happenings: [TodoHappening] = []
    try log.read { snapshot throws in
      for number in 1...last {
        guard let record = try snapshot.record(RecordNumber(number)) else { continue }
        happenings.append(try TodoHappening(record.header.kind, record.payload.raw))
      }
    }
    for round in 0..<8 {
      var edited = happenings
      let index = Int.random(in: 0..<last, using: &history.generator)
      let target = Int.random(in: 0..<last, using: &history.generator)
      let number = RecordNumber(index + 1)
      let edit: LogEdit
      switch round % 4 {
      case 0:
        edit = .skip(number)
        edited.remove(at: index)
      case 1:
        let happening = TodoHappening.delete(happenings[target].id)
        edit = .inject(
          Event(kind: happening.kind, recordedAt: Timestamp(rawValue: 0)),
          payload: PayloadWriter.bytes { happening.write(to: &$0) }, after: number)
        edited.insert(happening, at: index + 1)
      case 2:
        let other = happenings[target]
        guard other.kind == happenings[index].kind else { continue }
        edit = .patch(number, payload: PayloadWriter.bytes { other.write(to: &$0) })
        edited[index] = other
      default:
        edit = .move(number, after: RecordNumber(target))
        let happening = edited.remove(at: index)
        edited.insert(happening, at: target > index ? target - 1 : target)
      }
      for from in [snapshots, nil] {
        let replay = try Replay(log, reducer: history.rules, at: 0, from: from)
        let found = try replay.whatIf(EditedLog(log, [edit]), at: RecordNumber(last))
        try Self.expect(found, replay, history, edited, "seed \(seed): \(edit)")
      }
    }
    snapshots.close()
    await history.store.close()
  }

  private static func expect(
    _ found: WhatIf, _ replay: Replay, _ history: ToyHistory<Todo>,
    _ edited: [TodoHappening], _ comment: String
  ) throws {
    var other = history.plain.timeline.model(at: 0)
    for (index, happening) in edited.enumerated() {
      _ = other.apply(happening, RecordNumber(index + 1))
    }
    let mine = history.plain.timeline.model(at: history.plain.count)
    var ids = Set(found.rows.filter { $0.collection == Todo.tasks }.map(\.id))
    try replay.foldedRows.forEachRow(of: Todo.tasks) { ids.insert($1.name) }
    for id in ids.union(edited.map(\.id)) {
      let step = found.rows.first { $0.collection == Todo.tasks && $0.id == id }
      let (old, new) = (mine.row(id), other.row(id))
      guard old != new else {
        #expect(step == nil, "\(comment), \(id)")
        continue
      }
      #expect(old?.id != id && new?.id != id || step != nil, "\(comment), \(id)")
      if let step { #expect(step.old == old && step.new == new, "\(comment), \(id)") }
    }
  }

  /// The records that an injected event names are those of the unedited log.
  @Test func references_ofInjectedEvents_areRenumberedOnce() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(Batch((1...5).map { TodoHappening.put("\($0)", TodoPatch()) }))
    func inject(after number: RecordNumber, causedBy cause: RecordNumber?) -> LogEdit {
      let happening = TodoHappening.delete("1")
      let event = Event(
        kind: happening.kind, recordedAt: Timestamp(rawValue: 0), cause: cause.map { .record($0) })
      let payload = PayloadWriter.bytes { happening.write(to: &$0) }
      return .inject(event, payload: payload, after: number)
    }
    let causes = Monitor([RecordNumber: RecordNumber]())
    let edits = [inject(after: 1, causedBy: nil), inject(after: 4, causedBy: 3)]
    let edited = EditedLog(log, edits) { record, _ in
      causes.withLock { $0[record.number] = record.header.cause }
      return record
    }
    let replay = try Replay(log, reducer: Todo.rules(Todo.views, version: 1), at: 0)
    _ = try replay.whatIf(edited, at: 5)
    #expect(causes.withLock { $0 } == [6: 4])
    await log.close()
  }

  /// Edits after the requested moment change nothing.
  @Test func editsBehindTheMoment_changeNothing() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(Batch((1...9).map { TodoHappening.put("\($0)", TodoPatch()) }))
    let replay = try Replay(log, reducer: Todo.rules(Todo.views, version: 1), at: 0)
    let deletion = TodoHappening.delete("1")
    let payload = PayloadWriter.bytes { deletion.write(to: &$0) }
    func inject(after number: RecordNumber) -> LogEdit {
      let event = Event(kind: deletion.kind, recordedAt: Timestamp(rawValue: 0))
      return .inject(event, payload: payload, after: number)
    }
    for edit in [inject(after: 7), .move(9, after: 7), .skip(8)] {
      let found = try replay.whatIf(EditedLog(log, [edit]), at: 5)
      #expect(found.isEmpty && replay.position.number == 5, "\(edit): \(found)")
    }
    #expect(try !replay.whatIf(EditedLog(log, [inject(after: 5)]), at: 5).isEmpty)
    await log.close()
  }

  /// An event that would be refused is reported even where another is refused for the same reason.
  ///
  /// An event that is refused either way, under another number, is not reported.
  @Test func refusals_areToldApartByRecord() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(
      Batch([TodoHappening.spoil("1")] + (2...9).map { .put("\($0)", TodoPatch()) }))
    let replay = try Replay(log, reducer: Todo.rules(Todo.views, version: 1), at: 0)
    func inject(_ happening: TodoHappening, after number: RecordNumber) -> LogEdit {
      let event = Event(kind: happening.kind, recordedAt: Timestamp(rawValue: 0))
      let payload = PayloadWriter.bytes { happening.write(to: &$0) }
      return .inject(event, payload: payload, after: number)
    }
    let spoiled = try replay.whatIf(EditedLog(log, [inject(.spoil("2"), after: 3)]), at: 9)
    #expect(spoiled.refused.map(\.number) == [4])
    let shifted = try replay.whatIf(
      EditedLog(log, [inject(.put("0", TodoPatch()), after: 0)]), at: 9)
    #expect(shifted.refused.isEmpty && shifted.rows.map(\.id) == ["0"])
    await log.close()
  }

  /// Folding an edited log reports its progress as well.
  @Test func progress_isTold() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.ofThousands(in: folder)
    var (told, isWanted): ([RecordNumber], Bool) = ([], true)
    let replay = try Replay(log, reducer: Todo.rules(Todo.views, version: 1), at: 0) {
      told.append($0.done)
      return isWanted
    }
    _ = try replay.whatIf(EditedLog(log, [.skip(1)]), at: 3000)
    #expect(told == [1025, 2049])
    isWanted = false
    #expect(throws: StoreError.cancelled) {
      try replay.whatIf(EditedLog(log, [.skip(1)]), at: 3000)
    }
    await log.close()
  }

  /// A condition that holds without any record takes none.
  @Test func minimization_ofWhatNeedsNothing_isEmpty() throws {
    var minimization = Minimization((1...9).map { RecordNumber($0) })
    try minimization.run { _ in true }
    #expect(minimization.numbers.isEmpty && minimization.trials == 1)
  }

  @Test func trials_thatAreNotWantedAnyMore_areCancelled() async throws {
    var history = try await ToyHistory<Todo>(seed: 1)
    try await history.step()
    var batch = Batch()
    let other = Event(kind: EventKind(rawValue: 9999), recordedAt: Timestamp(rawValue: 0))
    for _ in 0..<1100 { batch.add(other) }
    try await history.store.append(batch)
    let (log, rules) = (try history.store.log, history.rules)
    let last = try log.last
    #expect(throws: StoreError.cancelled) {
      try Trials(log, reducer: rules, through: last, mayGoOn: { false })
    }
    let trials = try Trials(log, reducer: rules, through: last)
    let question = try PastQuestion("refused", of: Replay(log, reducer: rules, at: last))
    #expect(throws: StoreError.cancelled) {
      try trials.isSo(question, after: trials.numbers, mayGoOn: { false })
    }
    await history.store.close()
  }

  /// A fault that takes two records is minimized from some hundred to just those two.
  @Test(arguments: seeds) func minimization_findsTheTwo(_ seed: UInt64) async throws {
    var history = try await ToyHistory<Todo>(seed: seed)
    for _ in 0..<20 { try await history.step() }
    try await history.store.append(Batch([TodoHappening.put("planted", TodoPatch())]))
    for _ in 0..<10 { try await history.step() }
    try await history.store.append(Batch([TodoHappening.tag("planted", "odd")]))
    for _ in 0..<5 { try await history.step() }
    let log = try history.store.log
    let trials = try Trials(log, reducer: history.rules, through: try log.last)
    func shows(_ numbers: [RecordNumber]) throws -> Bool {
      try trials.try(numbers) { past in
        try past.row("planted", in: Todo.tasks)?[Todo.tags]?.contains("odd") == true
      }
    }
    var minimization = Minimization(trials.numbers)
    try minimization.run(shows)
    #expect(minimization.numbers.count <= 2, "seed \(seed): \(minimization.numbers)")
    #expect(try shows(minimization.numbers))
    await history.store.close()
  }
}

extension TodoHappening {
  /// The id that the happening is about.
  fileprivate var id: String {
    switch self {
    case .put(let id, _), .finish(let id, _), .delete(let id), .tag(let id, _), .untag(let id, _),
      .move(let id, _), .rename(let id, _), .name(let id, _), .finishAll(let id), .number(let id),
      .deleteList(let id), .spoil(let id), .finishEverything(let id):
      id
    case .rate, .unknown: ""
    }
  }
}
