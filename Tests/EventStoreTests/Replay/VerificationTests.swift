import EventStore
import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// Damage in the views' file, and views that differ from what the log yields, are found and named.
@Suite(.timeLimit(.minutes(5))) struct VerificationTests {
  /// In some values of each table one bit is flipped, one value at a time.
  @Test func values_thatAreDamaged_areNamed() async throws {
    var history = try await ToyHistory<Todo>(seed: 4)
    for _ in 0..<20 { try await history.step() }
    try await history.store.commitViews()
    let environment = try history.store.viewsEnvironment
    for name in ["rows-1", "rows-2", "nodes", "names", "journal", "marks", "refused"] {
      let table: Table<UInt64, [UInt8]> = try environment.table(name)
      let keys = try environment.keys(of: table).shuffled(using: &history.generator).prefix(6)
      #expect(!keys.isEmpty, "\(name) is empty")
      for key in keys {
        let whole = try environment.flip(key, in: table, using: &history.generator)
        let found = try await history.store.verify()
        #expect(found.findings == [.value(table: name, key: key)], "\(name) \(key): \(found)")
        try environment.put(whole, for: key, in: table)
      }
    }
    #expect(try await history.store.verify().isSound)
    await history.store.close()
  }

  /// A block of the journal that is missing, and one that is whole but unreadable.
  @Test func journal_thatLacksABlock_orHasAnother_isFound() async throws {
    var history = try await ToyHistory<Todo>(seed: 7)
    for _ in 0..<20 { try await history.step() }
    try await history.store.commitViews()
    let environment = try history.store.viewsEnvironment
    let table: Table<UInt64, [UInt8]> = try environment.table("journal")
    let key = try #require(try environment.keys(of: table).last)
    let whole = try environment.value(of: key, in: table)
    var other = Array(whole.dropLast())
    other.store(integer: Checksum.of(key, other.raw.extracting(4..<other.count)), at: 0)
    for bytes in [nil, other] {
      try environment.put(bytes, for: key, in: table)
      let found = try await history.store.verify()
      guard case .contradiction = found.findings.first else {
        Issue.record("\(found)")
        continue
      }
    }
    try environment.put(whole, for: key, in: table)
    #expect(try await history.store.verify().isSound)
    await history.store.close()
  }

  /// A row that is whole, but not what the events made of it.
  @Test func row_thatWasChanged_isFound() async throws {
    var history = try await ToyHistory<Leaderboard>(seed: 5)
    for _ in 0..<20 { try await history.step() }
    try await history.store.commitViews()
    let environment = try history.store.viewsEnvironment
    let table: Table<UInt64, [UInt8]> = try environment.table("rows-7")
    let key = try #require(
      try environment.keys(of: table).first { key in
        let row = try environment.value(of: key, in: table)
        return RowView(row.raw).isPresent
      })
    var row = try environment.value(of: key, in: table)
    row[row.count - 1] ^= 1
    row.store(
      integer: PackedRow.checksum(row.raw, UInt32(key)), at: RowFormat.Offset.checksum)
    try environment.put(row, for: key, in: table)
    let found = try await history.store.verify()
    #expect(!found.isSound)
    guard case .contradiction = found.findings.first else {
      Issue.record("\(found)")
      return
    }
    await history.store.close()
  }

  /// Damaged bytes of the file itself, in values and in the heads of pages.
  ///
  /// Takes a few seconds, since the whole file is verified for each of some hundred bytes.
  @Test func pages_thatAreDamaged_areFoundWithoutReadingThem() async throws {
    var history = try await ToyHistory<Todo>(seed: 6)
    for _ in 0..<20 { try await history.step() }
    try await history.store.commitViews()
    let path = try history.store.viewsEnvironment.path + "/" + Environment.dataFile
    let size = 4096
    let whole = try Data(contentsOf: URL(filePath: path))
    var (values, pages) = (0, 0)
    for page in 2..<(whole.count / size) {
      for offset in [10, 12, Int.random(in: 16..<size, using: &history.generator)] {
        var byte = whole[page * size + offset]
        byte ^= 1 << UInt8.random(in: 0..<8, using: &history.generator)
        try write([byte], at: page * size + offset, of: path)
        let found = try await history.store.verify()
        try write([whole[page * size + offset]], at: page * size + offset, of: path)
        guard let first = found.findings.first else { continue }
        if case .page = first { pages += 1 } else { values += 1 }
      }
    }
    #expect(values > 5 && pages > 10, "\(values) values, \(pages) pages")
    #expect(try await history.store.verify().isSound)
    await history.store.close()
  }

  private func write(_ bytes: [UInt8], at offset: Int, of path: String) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  /// A reducer that once did something other than it does now.
  @Test(arguments: [(Moody.Mood.otherOrder, 37), (.nothing, 37), (.otherName, 58)])
  func event_thatMeantSomethingElse_isNamed(_ mood: Moody.Mood, at event: Int) async throws {
    let folder = try TemporaryFolder()
    let reducer = Moody()
    let store = try await Store.open(at: folder.path, reducer: reducer)
    for number in 1...60 {
      if number == event { reducer.set(mood) }
      var batch = Batch()
      batch.add(Event(kind: EventKind(rawValue: 1), recordedAt: Timestamp(rawValue: 0))) {
        $0.put(1, "n\(number % 7)")
        $0.put(2, Int64(number))
      }
      try await store.append(batch)
      // Each frame has three events.
      if number % 3 == 0 { try await store.commitViews() }
      reducer.set(.usual)
    }
    let found = try await store.verify()
    #expect(found.number == 60)
    let divergence = try #require(found.divergence, "\(found)")
    let event = RecordNumber(event)
    #expect(divergence.event == event, "\(found)")
    #expect(divergence.start < event && event <= divergence.end, "\(found)")
    #expect(divergence.start.distance(to: divergence.end) <= 3, "\(found)")
    await store.close()
  }

  /// A baseline doesn't tell what the frames before the floor held.
  ///
  /// If its rows come in another order, a replay numbers them otherwise than the views, which were
  /// there before.
  @Test(
    arguments: [[1, 3, 5, 7, 9, 11, 13, 15, 17, 19], [7, 9, 11, 13, 1, 3, 5, 15, 17, 19]], [37, 39])
  func event_thatMeantSomethingElse_isNamed_overABaseline(
    _ baseline: [Int], at event: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try await Self.compacted(baseline, at: event, in: folder)
    let found = try await store.verify()
    let divergence = try #require(found.divergence, "\(found)")
    let number = RecordNumber(event)
    #expect(divergence.event == number, "\(found)")
    #expect(divergence.start < number && number <= divergence.end, "\(found)")
    await store.close()
  }

  /// Event 21 changes the row that event 7, before the floor, made something else of.
  @Test func event_beforeTheFloor_isNotTakenForALaterOne() async throws {
    let folder = try TemporaryFolder()
    let store = try await Self.compacted(Array(stride(from: 1, to: 20, by: 2)), at: 7, in: folder)
    let found = try await store.verify()
    let divergence = try #require(found.divergence, "\(found)")
    #expect(divergence.event == nil && divergence.start == 0, "\(found)")
    // A frame may end with event 20; one ends with event 21.
    #expect((20...21).contains(divergence.end), "\(found)")
    await store.close()
  }

  /// Makes a store of 60 events, one of which meant something else, compacted through event 20, and
  /// with a frame for each three events.
  private static func compacted(
    _ baseline: [Int], at event: Int, in folder: TemporaryFolder
  ) async throws -> Store {
    let reducer = Moody()
    let store = try await Store.open(at: folder.path, reducer: reducer)
    let kind = EventKind(rawValue: 1)
    let write = { @Sendable (number: Int, writer: inout PayloadWriter) in
      // Of the first 20, every other one is refused.
      if number > 20 || number % 2 == 1 { writer.put(1, "n\(number % 7)") }
      writer.put(2, Int64(number))
    }
    for number in 1...60 {
      if number == event { reducer.set(.otherOrder) }
      var batch = Batch()
      batch.add(Event(kind: kind, recordedAt: .zero)) { write(number, &$0) }
      try await store.append(batch)
      if number % 3 == 0 { try await store.commitViews() }
      reducer.set(.usual)
    }
    try await store.compact(through: 20) { last in
      (11...20).filter { RecordNumber(rawValue: UInt64($0)) > last }.map { place in
        .written(Event(kind: kind, recordedAt: .zero), as: RecordNumber(rawValue: UInt64(place))) {
          write(baseline[place - 11], &$0)
        }
      }
    }
    return store
  }

  /// Verification does not look at pages that are written and freed meanwhile.
  @Test func verification_whileEventsArrive_isSound() async throws {
    var history = try await ToyHistory<Todo>(seed: 9)
    for _ in 0..<10 { try await history.step() }
    let store = history.store
    let verifying = Task {
      var findings: [Verification] = []
      for _ in 0..<4 { findings.append(try await store.verify()) }
      return findings
    }
    for _ in 0..<60 {
      try await history.step()
      try await history.store.commitViews()
    }
    for found in try await verifying.value { #expect(found.isSound, "\(found)") }
    await history.store.close()
  }

  @Test func verification_thatIsGivenUp_isCancelled() async throws {
    var history = try await ToyHistory<Todo>(seed: 8)
    try await history.step()
    await #expect(throws: StoreError.cancelled) {
      try await history.store.verify { _ in false }
    }
    await history.store.close()
  }
}

extension Environment {
  fileprivate func keys(of table: Table<UInt64, [UInt8]>) throws -> [UInt64] {
    try read { transaction throws(LMDBError) in
      var keys: [UInt64] = []
      var cursor = try transaction.cursor(over: table)
      while try cursor.next() { keys.append(cursor.key.nativeInteger) }
      return keys
    }
  }

  fileprivate func value(of key: UInt64, in table: Table<UInt64, [UInt8]>) throws -> [UInt8] {
    try read { transaction throws(LMDBError) in
      try transaction.value(for: key, in: table) ?? []
    }
  }

  /// Replaces a value, or removes it.
  fileprivate func put(
    _ value: [UInt8]?, for key: UInt64, in table: Table<UInt64, [UInt8]>
  ) throws {
    var transaction = try beginWriting()
    if let value {
      try transaction.put(value, for: key, in: table)
    } else {
      try transaction.remove(key, from: table)
    }
    try transaction.commit(.none)
  }

  /// Flips a bit of a value; returns the value from before.
  fileprivate func flip(
    _ key: UInt64, in table: Table<UInt64, [UInt8]>,
    using generator: inout SeededGenerator
  ) throws -> [UInt8] {
    let whole = try value(of: key, in: table)
    var bytes = whole
    bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^=
      1 << UInt8.random(in: 0..<8, using: &generator)
    try put(bytes, for: key, in: table)
    return whole
  }
}

/// A reducer that breaks the rules for reducers: what it does depends on its mood.
struct Moody: Reducer {
  enum Mood: Sendable { case usual, otherOrder, otherName, nothing }

  static let date = Field<Timestamp>("date", 1)
  static let name = Field<String>("name", 2)
  static let sum = Field<Int>("sum", 3)
  static let notes = RowCollection("notes", number: 1, date, name, sum)

  let version = 1
  let collections = [notes]
  let views = [
    ViewDefinition("newest", of: notes, orderedBy: [date.descending]),
    ViewDefinition("greatest", of: notes, orderedBy: [sum.descending]),
  ]
  private let mood = Locked()

  private final class Locked: Sendable { let mood = Mutex(Mood.usual) }

  func set(_ new: Mood) { mood.mood.withLock { $0 = new } }

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    guard let fields = try? PayloadFields(decoding: event.payload),
      case .text(let id)? = fields[1], case .integer(let date)? = fields[2]
    else { throw Refusal("no id") }
    let mood = mood.mood.withLock { $0 }
    if mood == .nothing { return }
    let row = try state.row(id, in: Self.notes)
    state[row, Self.date] = Timestamp(rawValue: date)
    state[row, Self.name] = mood == .otherName ? "somebody" : "n\(date)"
    state[row, Self.sum] = (state[row, Self.sum] ?? 0) + (mood == .otherOrder ? 1000 : Int(date))
  }
}
