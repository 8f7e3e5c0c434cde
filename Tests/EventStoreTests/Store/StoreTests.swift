import EventStore
import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

/// Notes with a date, read or unread: about as small as a domain can be.
private struct Notes: Reducer {
  static let date = Field<Timestamp>("date", 1)
  static let isRead = Field<Bool>("isRead", 2)
  static let notes = RowCollection("notes", number: 1, date, isRead)
  static let put = EventKind(rawValue: 1)
  static let read = EventKind(rawValue: 2)

  let version = 1
  let collections = [notes]
  let views = [
    ViewDefinition(
      "unread", of: notes, where: isRead == false, orderedBy: [date.descending]),
    ViewDefinition("all", of: notes, orderedBy: [date.ascending]),
  ]

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    guard let fields = try? PayloadFields(decoding: event.payload),
      case .text(let id)? = fields[1]
    else { throw Refusal("no id") }
    let row = try state.row(id, in: Self.notes)
    switch event.header.kind {
    case Self.put:
      guard case .integer(let date)? = fields[2] else { throw Refusal("no date") }
      state[row, Self.date] = Timestamp(rawValue: date)
      state[row, Self.isRead] = false
    default: state[row, Self.isRead] = true
    }
  }

  static func put(_ id: String, _ date: Int64, in batch: inout Batch) {
    batch.add(Event(kind: put, recordedAt: Timestamp(rawValue: 0))) {
      $0.put(1, id)
      $0.put(2, date)
    }
  }

  static func read(_ id: String, in batch: inout Batch) {
    batch.add(Event(kind: read, recordedAt: Timestamp(rawValue: 0))) { $0.put(1, id) }
  }
}

@Suite struct StoreTests {
  // Over a second without optimization: a rebuild works in slices of 4,096 records, here several.
  /// Each frame is committed while the next is reduced, and the first finds the map too small.
  @Test func rebuild_inManyFrames() async throws {
    let folder = try TemporaryFolder()
    var options = Store.Options()
    options.viewsMapSize = 1 << 16
    options.rebuildFrameBytesMax = 1
    var store = try await Store.open(at: folder.path, reducer: Notes(), options: options)
    for part in 0..<14 {
      var batch = Batch()
      for index in 0..<1000 {
        Notes.put("n\(index * 13 % 700 + part * 300)", Int64(index), in: &batch)
      }
      try await store.append(batch)
    }
    let (ids, count) = (try Self.ids(of: store), try store.read { try $0.count(of: "all") })
    await store.close()
    try FileManager.default.removeItem(atPath: folder.path(of: "views"))
    store = try await Store.open(at: folder.path, reducer: Notes(), options: options)
    #expect(try Self.ids(of: store) == ids)
    #expect(try store.read { try $0.count(of: "unread") } == count)
    #expect(try await store.verify().isSound)
    try store.checkInvariants()
    await store.close()
  }

  // Over a second without optimization: the batch takes long enough for reads to come in between.
  @Test func longBatch_isReadBetweenItsRecords() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Notes())
    var batch = Batch()
    for index in 0..<20_000 { Notes.put("n\(index)", Int64(index % 7), in: &batch) }
    let receipt = try store.submit(batch, durability: .full)
    var (places, wrong) = (Set<UInt64>(), 0)
    while places.max() ?? 0 < 20_000 {
      let (last, count) = try store.read { ($0.position.number.rawValue, try $0.count(of: "all")) }
      places.insert(last)
      if UInt64(count) != last { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(places.contains { 0 < $0 && $0 < 20_000 })
    try await receipt.durable()
    let position = try await store.log.position(at: RecordNumber(rawValue: 20_000))
    #expect(try store.read { $0.position } == position)
    #expect(try await store.verify().isSound)
    await store.close()
  }

  private static func ids(of store: Store) throws -> [String] {
    try store.read { try $0.rows(of: "all", in: 0...).map(\.id) }
  }

  @Test func aListIsToldOfWhatHappens() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Notes())
    let sets = Mutex<[ChangeSet]>([])
    let live = try store.live("unread", window: 0..<3, countsExactly: true) { change in
      sets.withLock { $0.append(change.set) }
    }
    #expect(live.start.rows.isEmpty)
    var batch = Batch()
    for index in 1...5 { Notes.put("n\(index)", Int64(index), in: &batch) }
    try await store.append(batch)
    var second = Batch()
    Notes.read("n4", in: &second)
    try await store.append(second)
    let ids = try store.read { try $0.rows(of: "unread", in: 0...).map(\.id) }
    #expect(ids == ["n5", "n3", "n2", "n1"])
    let told = sets.withLock { $0 }
    #expect(told.count == 2)
    #expect(told.last?.edits.removals.map(\.index) == [1])
    #expect(told.last?.edits.insertions.map(\.index) == [2])
    #expect(told.last?.newTotal == 4)
    live.end()
    await store.close()

    let again = try await Store.open(at: folder.path, reducer: Notes())
    #expect(try again.read { try $0.rows(of: "unread", in: 0...).map(\.id) } == ids)
    #expect(try again.read { try $0.index(of: "n2", in: "all") } == 1)
    await again.close()
  }

  /// A moved window shows the same as before, but would have shown something else at the position
  /// that was reported last.
  @Test(arguments: [true, false])
  func aMovedWindow_isToldOf_whereItShowsTheSame(isHanded: Bool) async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Notes())
    var batch = Batch()
    Notes.put("n1", 1, in: &batch)
    try await store.append(batch)
    let sets = Mutex<[ChangeSet]>([])
    let note: @Sendable (Change) -> Void = { change in sets.withLock { $0.append(change.set) } }
    let live = try store.live("unread", window: 0..<1, onChange: isHanded ? note : nil)
    try live.show(5..<6)
    var second = Batch()
    Notes.read("n1", in: &second)
    try await store.append(second)
    try live.show(0..<1)
    if !isHanded {
      var changes = live.changes.makeAsyncIterator()
      await changes.next().map(note)
    }
    let told = sets.withLock { $0 }
    #expect(told.map(\.edits.removals.count) == (isHanded ? [1, 0] : [1]))
    let last = try #require(told.last)
    #expect(try last.to == store.read { $0.position })
    #expect(try store.changes(of: "unread", window: 0..<1, since: last.to) == nil)
    live.end()
    await store.close()
  }

  /// Changes that wait for a slow reader may come to nothing, but the moved window is reported.
  @Test func aMovedWindow_isToldOf_whereChangesCameToNothing() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Notes())
    var batch = Batch()
    Notes.put("n1", 1, in: &batch)
    try await store.append(batch)
    let live = try store.live("unread", window: 5..<6)
    for name in ["n2", "n3", "n4", "n5", "n6"] {
      var batch = Batch()
      Notes.put(name, 2, in: &batch)
      try await store.append(batch)
    }
    var reading = Batch()
    for name in ["n1", "n2", "n3", "n4", "n5", "n6"] { Notes.read(name, in: &reading) }
    try await store.append(reading)
    try live.show(0..<1)
    live.end()
    var changes = live.changes.makeAsyncIterator()
    let change = try #require(await changes.next())
    #expect(change.set.isEmpty)
    #expect(try change.set.to == store.read { $0.position })
    await store.close()
  }

  /// Opening, reading and closing a store writes nothing, however often, and the views outlast a
  /// restart of the machine all the same.
  @Test func store_thatIsOnlyLookedAt_isNotWritten() async throws {
    let folder = try TemporaryFolder()
    let first = try await Store.open(at: folder.path, reducer: Notes())
    var batch = Batch()
    Notes.put("a", 1, in: &batch)
    try await first.append(batch)
    await first.close()
    let before = try written(folder)
    for _ in 1...2 {
      let store = try await Store.open(at: folder.path, reducer: Notes())
      #expect(try store.read { try $0.count(of: "all") } == 1)
      try await store.commitViews()
      #expect(try store.log.standing().stamp != nil)
      await store.close()
      #expect(try written(folder) == before)
    }
    let last = try await Store.open(at: folder.path, reducer: Notes())
    try await last.append(batch)
    try await last.commitViews()
    #expect(try last.log.standing().stamp == nil)
    await last.close()
    #expect(try written(folder) != before)
  }

  /// A store that is closed commits everything it shows, even while its first frame waits for the
  /// log to take back that the views are left alone.
  @Test func store_closedAroundItsFirstFrame_hasCommittedAll() async throws {
    let folder = try TemporaryFolder()
    for round in 1...24 {
      let store = try await Store.open(at: folder.path, reducer: Notes())
      var batch = Batch()
      Notes.put("n\(round)", Int64(round), in: &batch)
      let last = try await store.append(batch, durability: .relaxed).upperBound
      try await Task.sleep(for: .milliseconds(11) + .microseconds(300) * round)
      await store.close()
      let log = try await Log.open(at: folder.path(of: "log"))
      #expect(try log.standing().stamp?.applied.number == last)
      await log.close()
    }
  }

  /// A store whose log can't be written keeps no views, as no other store could meanwhile.
  @Test func readOnlyStore_keepsNoViews() async throws {
    let folder = try TemporaryFolder()
    try await Store.open(at: folder.path, reducer: Notes()).close()
    var options = Store.Options()
    options.log.isReadOnly = true
    await #expect(throws: StoreError.log(.readOnly(path: folder.path(of: "log")))) {
      try await Store.open(at: folder.path, reducer: Notes(), options: options)
    }
    let store = try await Store.open(at: folder.path, reducer: Notes())
    #expect(store.isKeeping)
    await store.close()
  }

  /// Closing the log while its store waits to write views does not keep the store from closing.
  @Test func store_whoseLogIsClosedBefore_closes() async throws {
    let folder = try TemporaryFolder()
    for _ in 1...3 {
      let store = try await Store.open(at: folder.path, reducer: Notes())
      var batch = Batch()
      Notes.put("n", 1, in: &batch)
      try await store.append(batch)
      try await store.log.close()
      await store.close()
    }
    let store = try await Store.open(at: folder.path, reducer: Notes())
    #expect(try store.read { try $0.count(of: "all") } == 1)
    await store.close()
  }

  /// A store that is suspended while it erases, or while it is resumed, stays suspended.
  @Test func store_suspendedMeanwhile_staysSo() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Notes())
    for round in 1...8 {
      var batch = Batch()
      Notes.put("n\(round)", 1, in: &batch)
      try await store.append(batch)
      let erasing = Task { try await store.erase(Erasure(accounts: [7])) }
      for _ in 0..<100 where store.isKeeping { try await Task.sleep(for: .microseconds(50)) }
      await store.suspend()
      // If the store was suspended first, erasing has nothing to erase.
      _ = await erasing.result
      #expect(throws: StoreError.closed(path: folder.path)) { try store.log }
      let resuming = Task { try await store.resume() }
      try await Task.sleep(for: .microseconds(200) * round)
      await store.suspend()
      try await resuming.value
      if (try? store.log) != nil { await store.suspend() }
      #expect(throws: StoreError.closed(path: folder.path)) { try store.log }
      try await store.resume()
      #expect(try store.read { try $0.count(of: "all") } == round)
    }
    await store.close()
  }

  /// A store that is resumed while its suspension waits for an erasure stays open.
  @Test func store_resumedMeanwhile_staysOpen() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Notes())
    // So many that the erasure takes several slices.
    var batch = Batch()
    for note in 1...3000 { Notes.put("n\(note)", Int64(note), in: &batch) }
    try await store.append(batch)
    for round in 1...4 {
      let erasing = Task { try await store.erase(Erasure(accounts: [7])) }
      while store.isKeeping { await Task.yield() }
      try await Task.sleep(for: .milliseconds(round))
      let suspending = Task { await store.suspend() }
      while !store.isLeft { await Task.yield() }
      try? await store.resume()
      await suspending.value
      _ = await erasing.result
      #expect(try store.read { try $0.count(of: "all") } == 3000)
    }
    await store.suspend()
    await #expect(throws: StoreError.closed(path: folder.path)) {
      try await store.erase(Erasure(accounts: [7]))
    }
    await store.close()
  }

  /// A window may be named by any range.
  @Test func windowOfAnyRange_isReadAndObserved() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Notes())
    var batch = Batch()
    for note in 1...5 { Notes.put("n\(note)", Int64(note), in: &batch) }
    try await store.append(batch)
    func expect(_ count: Int, in window: some RangeExpression<Int>) throws {
      #expect(try store.read { try $0.rows(of: "all", in: window).count } == count)
      let live = try store.live("all", window: 0..<1)
      try live.show(window)
      #expect(try store.live("all", window: window).start.rows.count == count)
      live.end()
    }
    try expect(0, in: ..<(-1))
    try expect(0, in: ...(-1))
    try expect(0, in: -5...(-1))
    try expect(3, in: -5...2)
    try expect(5, in: 0...Int.max)
    try expect(4, in: 1...)
    try expect(5, in: ...Int.max)
    try expect(0, in: Int.max...)
    await store.close()
  }

  /// Returns the files of the log and the views that a write changes.
  private func written(_ folder: TemporaryFolder) throws -> [Data] {
    try ["log/data.mdb", "views/1/data.mdb", "views/current"].map { name in
      try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name)))
    }
  }

  /// Views that catch up while being opened are committed, so the log calls them clean.
  @Test func viewsThatWereBehind_areNotMadeAnewTheNextTime() async throws {
    let folder = try TemporaryFolder()
    let rebuilds = Atomic(0)
    var options = Store.Options()
    options.progress = { _ in
      rebuilds.add(1, ordering: .relaxed)
      return true
    }
    let first = try await Store.open(at: folder.path, reducer: Notes(), options: options)
    await first.close()
    let before = rebuilds.load(ordering: .relaxed)
    for round in 1...3 {
      let log = try await Log.open(at: folder.path(of: "log"))
      var batch = Batch()
      Notes.put("n\(round)", Int64(round), in: &batch)
      try await log.append(batch)
      await log.close()
      let store = try await Store.open(at: folder.path, reducer: Notes(), options: options)
      #expect(try store.read { try $0.count(of: "all") } == round)
      await store.close()
    }
    #expect(rebuilds.load(ordering: .relaxed) == before)
  }
}
