import EventStore
import LMDB
import TestSupport
import Testing

/// A log has exactly the bytes that its documentation shows.
@Suite struct FormatTests {
  private var store: StoreRecord {
    var random = Repeating()
    return StoreRecord(inode: 42, using: &random)
  }

  private let time = Timestamp(rawValue: 1_700_000_000_000)
  private let text = PayloadWriter.bytes { $0.put(1, "Lunch?") }
  private let number = PayloadWriter.bytes { $0.put(1, -1) }

  /// The document's records, in order.
  private var records: [(name: String, header: RecordHeader, payload: [UInt8])] {
    let bare = RecordHeader(
      kind: .note, version: 1, recordedAt: time, payloadCount: text.count,
      payloadChecksum: Checksum.of(text.raw))
    let full = RecordHeader(
      kind: EventKind(rawValue: 0x0102), version: 3, origin: .intent, isBaseline: true,
      recordedAt: time, login: Login(account: 7, epoch: 2), cause: 1, exchange: 1,
      entity: Fingerprint(rawValue: 0x0123_4567_89AB_CDEF), payloadCount: number.count,
      payloadChecksum: Checksum.of(number.raw))
    var erased = bare
    erased.isErased = true
    let lost = RecordHeader(
      kind: .lost, version: 1, recordedAt: time, payloadCount: 0, payloadChecksum: 0)
    return [
      ("record 1", bare, text), ("record 2", full, number), ("record 3", erased, []),
      ("record 4", lost, []),
    ]
  }

  @Test func storeRecord_hasTheBytesOfTheDocument() throws {
    let golden = try #require(try Goldens.of("LogFormat")["record 0"])
    #expect(store.bytes == golden, "\(Goldens.text(store.bytes))")
    #expect(try StoreRecord(golden.raw) == store)
  }

  /// The same store, compacted up to its third record.
  private var compacted: StoreRecord {
    var compacted = store
    (compacted.floor, compacted.floorChain, compacted.generation) = (3, 0xB6F4_BB25, 2)
    compacted.baseline = Baseline(upTo: 3, of: store.id, in: 1, count: 2, end: 0x1234_5678)
    compacted.task = .sweeping
    compacted.erasures = 1
    return compacted
  }

  @Test func compactedStore_hasTheBytesOfTheDocument() throws {
    let golden = try #require(try Goldens.of("LogFormat")["record 0, compacted"])
    #expect(compacted.bytes == golden, "\(Goldens.text(compacted.bytes))")
    #expect(try StoreRecord(golden.raw) == compacted)
  }

  /// Any unfinished task of a log is read again by the next process that opens it.
  @Test func tasks_areReadAgain() throws {
    let baseline = Baseline(upTo: 70, of: store.id, in: 2, count: 9, end: 0xFFFF_FFFF)
    let erasure = Erasure(
      accounts: [0, 7, .max], entities: [Fingerprint(rawValue: .max), Fingerprint(rawValue: 0)],
      numbers: [1...3, 9...9])
    let tasks: [LogTask] = [
      .staging(.init(floor: 70, baseline: baseline, last: 69)), .sweeping, .wiping(nil),
      .wiping(.init(selection: erasure, through: 99, next: 7)),
      .erasing(.init(selection: erasure, through: 99, next: .max)),
      .erasing(.init(selection: Erasure(), through: 0, next: 1)),
    ]
    for task in tasks {
      var store = store
      store.task = task
      #expect(try StoreRecord(store.bytes.raw) == store, "\(task)")
    }
  }

  /// Records are numbered below the keys of baselines.
  @Test func floorThatNoRecordHas_isRefused() {
    var store = store
    store.floor = RecordNumber(rawValue: 1 << 62 - 1)
    #expect(throws: Never.self) { try StoreRecord(store.bytes.raw) }
    store.floor = RecordNumber(rawValue: 1 << 62)
    #expect(throws: StoreRecord.Failure.damaged) { try StoreRecord(store.bytes.raw) }
  }

  @Test func storeRecord_isRefusedWithAnyBitFlipped() throws {
    for store in [store, compacted] { try refuse(store) }
  }

  private func refuse(_ store: StoreRecord) throws {
    for bit in 0..<store.bytes.count * 8 {
      var bytes = store.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: StoreRecord.Failure.self, "bit \(bit)") { try StoreRecord(bytes.raw) }
    }
  }

  @Test func records_haveTheBytesOfTheDocument() async throws {
    let folder = try TemporaryFolder()
    var writer = try LogRewriter(in: Folder(folder.path), store)
    for record in records { try writer.append(record.header, record.payload.raw) }
    try writer.finish()
    let file = try PageFile(folder.path(of: "data.mdb"))
    var values: [[UInt8]] = []
    var walk = TreeWalk(file)
    walk.visit(file.meta.main) { values.append($0.value.array) }
    let goldens = try Goldens.of("LogFormat")
    for (record, value) in zip(records, values.dropFirst()) {
      #expect(value == goldens[record.name], "\(record.name): \(Goldens.text(value))")
    }
    #expect(values.count == 5 && goldens.count == 6)
    let log = try await Log.open(at: folder.path)
    #expect(try log.everything().map(\.payload) == records.map(\.payload))
    await log.close()
  }
}

/// A generator of numbers whose bytes are all 1, then all 2, and so on.
private struct Repeating: RandomNumberGenerator {
  private var last: UInt64 = 0

  mutating func next() -> UInt64 {
    last += 0x0101_0101_0101_0101
    return last
  }
}
