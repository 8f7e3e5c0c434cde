import EventStore
import LMDB
import TestSupport
import Testing

/// The journal of what events changed, and the net changes of its stretches.
@Suite struct JournalTests {
  @Test(arguments: 0..<UInt64(Campaign.size(10, long: 2_000)))
  func nets_areTheDifferencesOfStates(seed: UInt64) throws {
    var limits = JournalLimits()
    limits.blockBytesMax = 300
    let model = try JournalModel(seed: seed, limits)
    for _ in 0..<12 { try model.step() }
    for stream in model.journal.catalog.streams { #expect(stream.floor == 0, "seed \(seed)") }
  }

  @Test(arguments: 0..<UInt64(Campaign.size(10, long: 2_000)))
  func nets_withinLimits_areTheDifferencesOfStates(seed: UInt64) throws {
    var limits = JournalLimits()
    limits.blockBytesMax = 200
    limits.bytesMax = seed & 1 == 0 ? 2_000 : .max
    limits.eventsMax = seed & 1 == 0 ? .max : 40
    let model = try JournalModel(seed: seed, limits, restarts: seed & 2 == 0)
    for _ in 0..<20 { try model.step() }
    try model.expectBounded()
  }

  /// The room counted for a block is what the file grows by.
  @Test(arguments: [100, 662, 2_022, 2_023, 4_080, 4_081, 16_368, 16_369])
  func room_ofABlock_isWhatItTakes(count: Int) throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    guard try environment.information.pageSize == 4096 else { return }
    let table = try JournalBase.table(in: environment)
    let bytes = [UInt8](repeating: 1, count: count)
    let blocks = 40
    var transaction = try environment.beginWriting()
    var appender = try transaction.appender(to: table)
    for number in 1...UInt64(blocks) {
      var room = try appender.reserve(count, for: number)
      room.store(copying: bytes.raw, at: 0)
    }
    let taken = try transaction.pageCount(of: table) * 4096
    try transaction.commit(.none)
    let room = Int(JournalFormat.room(forBlockOf: count)) * blocks
    // The last page and the tree's own pages are not full.
    #expect((room...room + 3 * 4096).contains(taken), "\(taken) of \(room)")
  }

  /// Files hold exactly these bytes until the views' format changes.
  @Test func goldenBytes() throws {
    let fields = (Field<Int>("a", 1), Field<String>("b", 2))
    let letters = RowCollection("letters", number: 1, fields.0, fields.1)
    let before = try Row("id", in: letters) { row in
      row[fields.0] = 1
      row[fields.1] = "x"
    }
    let now = try Row("id", in: letters) { $0[fields.0] = 2 }
    var bytes: [UInt8] = []
    let changed = now.view.changes(from: before.view, letters.shape)
    RowEntry.append(300, changed, from: before.view, to: now.view, letters.shape, to: &bytes)
    let digests = [1, 2].map { number -> String in
      var bytes: [UInt8] = []
      bytes.append(littleEndian: before.digest(of: number))
      return bytes.hex
    }
    #expect(bytes.hex == "ac02" + "04" + "03" + digests[0] + digests[1])
    bytes = []
    let (old, new): ([UInt8], [UInt8]) = (
      [7, 0, 0, 0, 0, 0, 0, 0, 1, 2], [7, 0, 0, 0, 0, 0, 0, 0, 3]
    )
    ListEntry.append(5, 7, from: old.raw, to: new.raw, to: &bytes)
    ListEntry.append(6, 9, from: nil, to: new.raw, to: &bytes)
    #expect(
      bytes.hex == "05" + "0b" + "0a" + "07000000000000000102" + "08" + "01" + "03"
        + "06" + "06" + "0900000000000000" + "09" + "070000000000000003")
  }

  /// A view that changes all the time doesn't push out a rarely changing one of another collection.
  @Test func busyView_pushesOutNoOther() throws {
    let store = try JournalStore(bytesMax: 20_000)
    var journal = try store.journal()
    for (view, collection) in [(1, 1), (2, 2)] as [(UInt16, UInt8)] {
      journal.begin(.lists(ofView: view), after: 0)
      journal.begin(.rows(of: collection), after: 0)
    }
    let key = Array("a key of some bytes".utf8)
    for number in 1...2_000 as ClosedRange<UInt64> {
      journal.append(number)
      let id = RowID(rawValue: UInt32(number))
      journal.appendList(ofView: 1, group: 0, id, from: nil, to: key.raw)
      if number % 100 == 0 { journal.appendList(ofView: 2, group: 0, id, from: nil, to: key.raw) }
      if number % 10 == 0 { try store.commit(&journal) }
    }
    try journal.checkInvariants()
    let bytes = journal.catalog.streams.reduce(0) { $0 + $1.byteCount }
    #expect(bytes <= 20_000 && bytes > 15_000)
    let floors = [1, 2].map { journal.floor(of: .lists(ofView: $0)) ?? 0 }
    #expect(floors[0] > 1_000 && floors[1] == 0)
    let gone = try journal.net(ofView: 1, rowsOf: 1, after: 500, through: 2_000)
    #expect(gone == nil)
    let net = try journal.net(ofView: 2, rowsOf: 2, after: 0, through: 2_000)
    #expect(net?.changes.count == 20)
  }

  /// A frame's excess is dropped with later frames, a limited number of blocks with each; until
  /// then it can be read.
  @Test func excess_isDroppedByAndBy() throws {
    var store = try JournalStore(bytesMax: 2_000)
    store.limits.blockBytesMax = 1
    var journal = try store.journal()
    journal.begin(.lists(ofView: 1), after: 0)
    journal.begin(.rows(of: 1), after: 0)
    var counts: [Int] = []
    for last in 2_000...2_006 as ClosedRange<UInt64> {
      for number in journal.catalog.last + 1...last {
        journal.append(number)
        let id = RowID(rawValue: UInt32(number))
        journal.appendList(ofView: 1, group: 0, id, from: nil, to: [1].raw)
      }
      try store.commit(&journal)
      try journal.checkInvariants()
      let floor = journal.floor(of: .lists(ofView: 1)) ?? 0
      let net = try journal.net(ofView: 1, rowsOf: 1, after: floor, through: last)
      counts.append(net?.changes.count ?? 0)
      #expect(counts.last == Int(last - floor))
    }
    #expect(counts.prefix(4) == [2_000, 1_488, 976, 464])
    #expect(journal.catalog.streams.reduce(0) { $0 + $1.byteCount } <= 2_000)
  }

  @Test func stream_thatBeginsAnew_tellsNothingOfBefore() throws {
    var journal = try Journal()
    journal.begin(.lists(ofView: 1), after: 0)
    journal.begin(.rows(of: 1), after: 0)
    journal.append(5)
    journal.appendList(ofView: 1, group: 0, RowID(rawValue: 1), from: nil, to: [1].raw)
    let told = try journal.net(ofView: 1, rowsOf: 1, after: 4, through: 5)
    #expect(told?.changes.count == 1)
    journal.begin(.lists(ofView: 1), after: 5)
    let gone = try journal.net(ofView: 1, rowsOf: 1, after: 4, through: 5)
    #expect(gone == nil)
    let none = try journal.net(ofView: 1, rowsOf: 1, after: 5, through: 5)
    #expect(none?.changes.isEmpty == true)
    let notYet = try journal.net(ofView: 1, rowsOf: 1, after: 5, through: 6)
    #expect(notYet == nil)
    let ofNoView = try journal.net(ofView: 2, rowsOf: 1, after: 5, through: 5)
    #expect(ofNoView == nil)
  }

  @Test func misuse_traps() async {
    await #expect(processExitsWith: .failure) {
      var journal = try Journal()
      journal.append(2)
      journal.append(2)
    }
    await #expect(processExitsWith: .failure) {
      var journal = try Journal()
      journal.append(1)
      journal.appendList(ofView: 1, group: 0, RowID(rawValue: 1), from: nil, to: RawSpan())
    }
    await #expect(processExitsWith: .failure) {
      var journal = try Journal()
      _ = try journal.freeze()
      _ = try journal.freeze()
    }
  }
}

/// A committed journal whose stored bytes were changed.
@Suite struct JournalDamageTests {
  @Test func flippedBytes_areFound() throws {
    let store = try JournalStore(bytesMax: .max)
    var journal = try store.journal()
    journal.begin(.lists(ofView: 1), after: 0)
    journal.begin(.rows(of: 1), after: 0)
    for number in 1...3 as ClosedRange<UInt64> {
      journal.append(number)
      journal.appendList(
        ofView: 1, group: number, RowID(rawValue: 1), from: nil, to: [1, 2, 3].raw)
    }
    try store.commit(&journal)
    let block = JournalStream.lists(ofView: 1).key(3)
    for key in [0, block] {
      let bytes = try #require(try store.bytes(key))
      for offset in bytes.indices {
        var damaged = bytes
        damaged[offset] ^= 0x10
        #expect(try store.isFound(damaged, under: key), "byte \(offset) under \(key)")
      }
      for count in 0..<bytes.count {
        #expect(try store.isFound(Array(bytes.prefix(count)), under: key), "cut off at \(count)")
      }
      #expect(try !store.isFound(bytes, under: key))
    }
  }
}

/// A journal's file.
private struct JournalStore {
  let folder: TemporaryFolder
  let environment: Environment
  let reader: KeptReader
  let table: Table<UInt64, [UInt8]>
  var limits = JournalLimits()

  init(bytesMax: UInt64) throws {
    folder = try TemporaryFolder()
    environment = try Environment(at: folder.path)
    table = try JournalBase.table(in: environment)
    reader = KeptReader(environment)
    limits.bytesMax = bytesMax
  }

  func journal() throws(LMDBError) -> Journal {
    try Journal(over: JournalBase(reader, table), limits)
  }

  func commit(_ journal: inout Journal) throws {
    let frozen = try journal.freeze()
    try environment.write(.none) { transaction throws(LMDBError) in
      try frozen.write(to: &transaction, table)
    }
    try reader.renew()
    journal.committed()
  }

  func bytes(_ key: UInt64) throws -> [UInt8]? {
    try environment.read { transaction throws(LMDBError) in
      try transaction.value(for: key, in: table)
    }
  }

  /// Stores bytes under a key, and returns whether they are refused.
  func isFound(_ bytes: [UInt8], under key: UInt64) throws -> Bool {
    try environment.write(.none) { transaction throws(LMDBError) in
      try transaction.put(bytes, for: key, in: table)
    }
    try reader.renew()
    do throws(LMDBError) {
      let journal = try journal()
      let net = try journal.net(ofView: 1, rowsOf: 1, after: 0, through: 3)
      return net == nil
    } catch {
      return error.code == .corrupted
    }
  }
}

extension [UInt8] {
  fileprivate var hex: String {
    map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
  }
}
