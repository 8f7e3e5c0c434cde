import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// What a salvaged log is, besides holding the recovered records.
@Suite struct SalvageTests {
  @Test func soundLog_isKeptWhole() async throws {
    let log = try await DamagedLog(seed: 1)
    let folder = try TemporaryFolder()
    let report = try Log.salvage(from: log.path, into: folder.path)
    #expect(report.recordCount == log.records.count && report.lostCount == 0)
    #expect(report.recordsFromPages == 0 && !report.isNewStore)
    let (old, new) = (try await Log.open(at: log.path), try await Log.open(at: folder.path))
    #expect(try new.everything() == log.records)
    #expect(new.store == old.store && new.incarnation != old.incarnation)
    #expect(new.fingerprint(of: "a") == old.fingerprint(of: "a"))
    #expect(try Log.check(at: folder.path).generation == 2)
    await old.close()
    await new.close()
  }

  /// A salvaged log in a store's folder would not be found: readers open the store's own log.
  @Test func salvagedLog_isNotPutBesideAStoresOwn() async throws {
    let log = try await DamagedLog(seed: 3)
    let folder = try TemporaryFolder()
    let own = Folder(folder.path).ofLog
    try own.create()
    await (try await Log.open(at: own.path)).close()
    #expect(throws: LogError.occupied(path: own.path)) {
      try Log.salvage(from: log.path, into: folder.path)
    }
  }

  @Test func lostRecord_leavesAPlaceAndEndsPositions() async throws {
    let log = try await DamagedLog(seed: 2)
    let lost = try #require(log.records.last { $0.payload.count > 2000 })
    let place = try #require(log.places[lost.number])
    let old = try await Log.open(at: log.path)
    var positions: [Position] = []
    for record in log.records { positions.append(try await old.position(at: record.number)) }
    await old.close()

    try log.write([0xFF, 0xFE, 0xFD], at: place.upperBound - 3)
    let folder = try TemporaryFolder()
    let report = try Log.salvage(from: log.path, into: folder.path)
    #expect(report.lost == [lost.number...lost.number])
    let new = try await Log.open(at: folder.path)
    for position in positions {
      #expect(try new.holds(position) == (position.number < lost.number), "\(position.number)")
    }
    let stand = try #require(
      try new.read { snapshot throws(LogError) in
        try snapshot.record(lost.number)
      })
    #expect(stand.header.kind == .lost && stand.payload.isEmpty)
    #expect(stand.header.recordedAt == log.records[Int(lost.number.rawValue) - 2].header.recordedAt)
    #expect(try await new.append(.of("goes on")) == 1 + log.records.count.number)
    await new.close()
  }

  @Test func withoutTheRoot_recordsAreFoundInThePages() async throws {
    let log = try await DamagedLog(seed: 3)
    let meta = try PageFile(log.folder.path(of: "data.mdb")).meta
    let root = Int(try #require(meta.main.root))
    try log.write([UInt8](repeating: 0, count: meta.pageSize), at: root * meta.pageSize)
    let folder = try TemporaryFolder()
    let report = try Log.salvage(from: log.path, into: folder.path)
    #expect(report.recordsFromPages == log.records.count && report.lostCount == 0)
    #expect(!report.isNewStore)
  }

  /// Returns the store's record after a salvage from a log without its tree, with the records that
  /// `change` makes of the log's own, by their keys.
  private func store(
    salvagedFrom log: DamagedLog, _ change: (StoreRecord) -> [(key: UInt64, store: StoreRecord)]
  ) throws -> StoreRecord? {
    try log.folder.editLog { transaction, table throws(LMDBError) in
      guard let bytes = try transaction.value(for: StoreRecord.key, in: table),
        let store = try? StoreRecord(bytes.span.bytes)
      else { return }
      for (key, store) in change(store) { try transaction.put(store.bytes, for: key, in: table) }
    }
    let meta = try PageFile(log.folder.path(of: "data.mdb")).meta
    let root = Int(try #require(meta.main.root))
    try log.write([UInt8](repeating: 0, count: meta.pageSize), at: root * meta.pageSize)
    let folder = try TemporaryFolder()
    _ = try Log.salvage(from: log.path, into: folder.path)
    var store: StoreRecord?
    try folder.editLog { transaction, table throws(LMDBError) in
      let bytes = try transaction.value(for: StoreRecord.key, in: table) ?? []
      store = try? StoreRecord(bytes.span.bytes)
    }
    return store
  }

  /// Of several store records, the one after the last erasure counts.
  @Test func storesRecord_isTheLatest() async throws {
    let found = try store(salvagedFrom: try await DamagedLog(seed: 3)) { store in
      ([(StoreRecord.key, 5), (1 << 61, 3)] as [(UInt64, UInt64)]).map { key, erasures in
        var store = store
        store.erasures = erasures
        return (key, store)
      }
    }
    #expect(found?.erasures == 5)
  }

  /// Recovered data may have been erased, so an erasure that is not over begins anew.
  @Test(arguments: [false, true], [false, true])
  func erasure_beginsAnew(isWiping: Bool, isFirst: Bool) async throws {
    let erasing = LogTask.Erasing(selection: Erasure(accounts: [7]), through: 9, next: 5)
    let found = try store(salvagedFrom: try await DamagedLog(seed: 3)) { store in
      var (before, after) = (store, store)
      (before.task, before.erasures) = (nil, 3)
      after.task = isWiping ? .wiping(erasing) : .erasing(erasing)
      after.erasures = isWiping ? 4 : 3
      // A record from before the erasure, somewhere in the file, counts less.
      let keys = isFirst ? [StoreRecord.key, 1 << 61] : [1 << 61, StoreRecord.key]
      return [(keys[0], after), (keys[1], before)]
    }
    let anew = LogTask.Erasing(selection: erasing.selection, through: erasing.through, next: 1)
    #expect(found?.task == .erasing(anew))
  }

  @Test func withoutMetaPages_recordsAreFoundInThePages() async throws {
    let log = try await DamagedLog(seed: 4)
    try log.write([UInt8](repeating: 0, count: 8192), at: 0)
    #expect(throws: LogError.notALog(path: log.path)) { try Log.check(at: log.path) }
    let folder = try TemporaryFolder()
    let report = try Log.salvage(from: log.path, into: folder.path)
    #expect(report.recordCount == log.records.count && report.lostCount == 0)
  }

  @Test func lostStore_isReplacedAndSaid() async throws {
    let log = try await DamagedLog(seed: 5)
    let sound = [UInt8](Array("tideline".utf8))
    var bytes = log.bytes
    for start in bytes.indices.dropLast(sound.count)
    where Array(bytes[start..<start + sound.count]) == sound { bytes[start + 40] ^= 1 }
    try log.write(bytes, at: 0)
    #expect(try Log.check(at: log.path).damage == [.storeDamaged])
    let folder = try TemporaryFolder()
    let report = try Log.salvage(from: log.path, into: folder.path)
    #expect(report.isNewStore && report.recordCount == log.records.count)
    #expect(try Log.check(at: folder.path).isSound)
  }

  @Test func occupiedFolder_isRefused() async throws {
    let log = try await DamagedLog(seed: 6, batches: 1)
    let other = try await DamagedLog(seed: 7, batches: 1)
    #expect(throws: LogError.occupied(path: other.path)) {
      try Log.salvage(from: log.path, into: other.path)
    }
    #expect(try Log.check(at: other.path).recordCount == UInt64(other.records.count))
    #expect(throws: LogError.missing(path: "/nowhere")) {
      try Log.salvage(from: "/nowhere", into: other.path)
    }
  }

  @Test func incarnation_isThatWhichWasWritten() async throws {
    let log = try await DamagedLog(seed: 8, batches: 1)
    let folder = try TemporaryFolder()
    _ = try Log.salvage(from: log.path, into: folder.path)
    let data = URL(filePath: folder.path(of: "data.mdb"))
    let before = try Data(contentsOf: data)
    await (try await Log.open(at: folder.path)).close()
    #expect(try Data(contentsOf: data) == before)
  }
}

extension Int {
  fileprivate var number: RecordNumber { RecordNumber(rawValue: UInt64(self)) }
}

private func + (offset: Int, number: RecordNumber) -> ClosedRange<RecordNumber> {
  number.advanced(by: offset)...number.advanced(by: offset)
}
