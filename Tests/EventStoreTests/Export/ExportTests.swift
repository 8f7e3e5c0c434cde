import EventStore
import Synchronization
import TestSupport
import Testing

/// Exporting and importing a log gives the same log, to the bit.
@Suite struct ExportTests {
  @Test func roundTrip_ofRandomRecords() async throws {
    for seed in Campaign.seeds(20, long: 1000) {
      let original = try await ExportedLog(seed: seed)
      let lines = try ExportedLog.lines(of: original.log)
      let copy = try await ExportedLog.imported(lines, part: 1 + Int(seed) * 37)
      #expect(try copy.log.whole() == original.log.whole(), "seed \(seed)")
      #expect(copy.log.store == original.log.store)
      #expect(copy.log.fingerprint(of: "a") == original.log.fingerprint(of: "a"))
      #expect(try await copy.log.holds(original.log.position(at: original.log.last)))
      #expect(try ExportedLog.lines(of: copy.log) == lines, "seed \(seed)")
      #expect(try Log.check(at: copy.folder.path).isSound)
      await original.log.close()
      await copy.log.close()
    }
  }

  @Test func roundTrip_ofNothing() async throws {
    let original = try await ExportedLog(seed: 1, count: 1)
    var options = LogExport.Options()
    options.first = 2
    #expect(throws: LogError.damagedRecord(2, .absent)) {
      try ExportedLog.lines(of: original.log, options)
    }
    let folder = try TemporaryFolder()
    let empty = try await Log.open(at: folder.path)
    let copy = try await ExportedLog.imported(try ExportedLog.lines(of: empty))
    #expect(try copy.log.last == 0 && copy.log.store == empty.store)
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func roundTrip_ofCompacted(_ seed: UInt64) async throws {
    var history = try await CompactedHistory(seed: seed)
    for _ in 0..<2 {
      try await history.append()
      try await history.compact()
    }
    if seed % 2 == 0 { try await history.append() }
    let records = try history.log.whole()
    let copy = try await ExportedLog.imported(try ExportedLog.lines(of: history.log), part: 999)
    #expect(try copy.log.whole() == records, "seed \(seed)")
    #expect(Log.isSound(at: copy.folder.path))
    let numbers = try await copy.log.append(.of("more"))
    #expect(try numbers.lowerBound == history.log.last.advanced(by: 1))
    #expect(Log.isSound(at: copy.folder.path))
    await history.log.close()
  }

  /// Between two parts, a compaction may remove what the next part was to have.
  @Test(arguments: [0, 1]) func export_thatACompactionOvertakes_saysSo(
    compactions: Int
  ) async throws {
    var history = try await CompactedHistory(seed: 4)
    try await history.append()
    for _ in 0..<compactions {
      try await history.compact()
      try await history.append()
    }
    var export = try LogExport(history.log)
    #expect(try export.next() != nil)
    try await history.compact()
    #expect(throws: LogError.compacted(floor: history.log.floor)) {
      while try export.next() != nil {}
    }
    await history.log.close()
  }

  @Test func roundTrip_ofErased() async throws {
    let original = try await ExportedLog(seed: 3)
    try await original.log.erase(Erasure(numbers: [5...9, 30...30]))
    let copy = try await ExportedLog.imported(try ExportedLog.lines(of: original.log))
    #expect(try copy.log.whole() == original.log.whole())
    #expect(try copy.log.whole().filter(\.header.isErased).count > 0)
    #expect(Log.isSound(at: copy.folder.path))
  }

  @Test func export_ofAPart_hasItsNumbersAndItsChain() async throws {
    let original = try await ExportedLog(seed: 4)
    var options = LogExport.Options()
    options.first = 41
    let copy = try await ExportedLog.imported(try ExportedLog.lines(of: original.log, options))
    #expect(try copy.log.whole() == Array(original.log.whole().dropFirst(40)))
    #expect(copy.log.floor == 40)
    #expect(try await copy.log.holds(original.log.position(at: 50)))
  }

  @Test func export_withALimit_leavesOutTheOldest() async throws {
    let original = try await ExportedLog(seed: 5, count: 3000)
    let all = try ExportedLog.lines(of: original.log).count
    for part in [2, 5, 40] {
      var options = LogExport.Options()
      options.bytesMax = all / part
      let lines = try ExportedLog.lines(of: original.log, options)
      #expect(lines.count <= all / part && lines.count > all / part - 40_000)
      let copy = try await ExportedLog.imported(lines)
      let count = try copy.log.whole().count
      #expect(try copy.log.whole() == Array(original.log.whole().suffix(count)))
      await copy.log.close()
    }
  }

  /// The log is measured before anything is written, and what is left out is read again.
  @Test(arguments: [0, 1, 2, 3, 5]) func export_thatIsNotWantedAnyMore_ends(
    after calls: Int
  ) async throws {
    let original = try await ExportedLog(seed: 7, count: 3000)
    let asked = Mutex(0)
    var options = LogExport.Options()
    options.bytesMax = try ExportedLog.lines(of: original.log).count / 4
    options.mayGoOn = {
      asked.withLock { count in
        count += 1
        return count <= calls
      }
    }
    let lines = try ExportedLog.lines(of: original.log, options)
    #expect(!String(decoding: lines, as: UTF8.self).contains("manifest"))
    #expect(asked.withLock { $0 } <= calls + 3)
    await original.log.close()
  }

  /// If the limit leaves out a whole baseline, no record of it precedes the head.
  @Test func export_withALimit_leavesOutAWholeBaseline() async throws {
    let folder = try TemporaryFolder()
    let log = try await Self.compacted(40, keeping: Array(1...40), in: folder)
    var options = LogExport.Options()
    options.bytesMax = try ExportedLog.lines(of: log).count / 2
    let copy = try await ExportedLog.imported(try ExportedLog.lines(of: log, options))
    #expect(try copy.log.whole() == [] && copy.log.floor == 40)
    #expect(try await copy.log.holds(log.position()))
    await copy.log.close()
    await log.close()
  }

  /// Each damaged record, in the baseline or after it, is exported as a lost one.
  @Test(arguments: [[4], [2, 8], [4, 9, 10], [9, 10], [2, 4, 6, 8, 9, 10]] as [[UInt64]])
  func export_ofADamagedBaseline_standsInForWhatIsLost(_ lost: [UInt64]) async throws {
    let folder = try TemporaryFolder()
    let log = try await Self.compacted(8, keeping: [2, 4, 6, 8], in: folder)
    try await log.append(.of("a", "b"))
    await log.close()
    for number in lost {
      let key = number > 8 ? number : 1 << 62 | number
      try Damage.flip(key, bit: 77).inflict(on: folder)
    }
    let damaged = try await Log.open(at: folder.path)
    var options = LogExport.Options()
    options.passesOverDamage = true
    var (export, lines) = (try LogExport(damaged, options), [UInt8]())
    while let part = try export.next() { lines += part }
    #expect(export.manifest.lost == UInt64(lost.count))
    let copy = try await ExportedLog.imported(lines)
    let records = try copy.log.whole()
    #expect(records.map(\.number) == [2, 4, 6, 8, 9, 10])
    #expect(records.filter { $0.header.kind == .lost }.map(\.number.rawValue) == lost)
    await copy.log.close()
    await damaged.close()
  }

  /// Returns a log that is compacted to its end, with some of its notes as the baseline.
  private static func compacted(
    _ count: UInt64, keeping numbers: [RecordNumber], in folder: TemporaryFolder
  ) async throws -> Log {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of((1...count).map { "note \($0)" }))
    try await log.compact(through: RecordNumber(rawValue: count)) { last in
      numbers.filter { $0 > last }.map { .kept($0) }
    }
    return log
  }

  /// A hole of any size is written in parts, like records.
  @Test func export_ofALargeHole_isWrittenInParts() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(.of((1...10).map { "note \($0)" }))
    await log.close()
    try Damage.renumbering(10, as: 9000).inflict(on: folder)
    let damaged = try await Log.open(at: folder.path)
    var options = LogExport.Options()
    options.passesOverDamage = true
    var (export, lines) = (try LogExport(damaged, options), [UInt8]())
    while let part = try export.next() {
      #expect(part.count < 300_000)
      lines += part
    }
    #expect(export.manifest.lost == 8990 && lines.count > 300_000)
    let copy = try await ExportedLog.imported(lines)
    #expect(try copy.log.whole().map(\.number.rawValue) == Array(1...9000))
    await copy.log.close()
    await damaged.close()
  }

  /// The record before the first one is not exported, so its damage does not matter.
  @Test func export_ofAPartBehindDamage_isWhole() async throws {
    let original = try await ExportedLog(seed: 6)
    let records = try original.log.whole()
    await original.log.close()
    try Damage.truncation(40, count: 3).inflict(on: original.folder)
    let damaged = try await Log.open(at: original.folder.path)
    var options = LogExport.Options()
    options.first = 41
    #expect(throws: LogError.damagedRecord(40, .unknownFormat)) {
      try ExportedLog.lines(of: damaged, options)
    }
    options.passesOverDamage = true
    let copy = try await ExportedLog.imported(try ExportedLog.lines(of: damaged, options))
    #expect(try copy.log.whole().map(\.payload) == records.dropFirst(40).map(\.payload))
    await copy.log.close()
    await damaged.close()
  }

  /// What is remembered from before the first record counts too.
  @Test(arguments: [20_000, 150_000]) func export_ofAPart_isWithinItsLimit(
    bytesMax: Int
  ) async throws {
    let original = try await ExportedLog(seed: 5, count: 1000)
    var options = LogExport.Options()
    (options.first, options.remembers, options.bytesMax) = (990, { _ in true }, bytesMax)
    let lines = try ExportedLog.lines(of: original.log, options)
    #expect(lines.count <= bytesMax)
    let copy = try await ExportedLog.imported(lines)
    #expect(try copy.log.last == 1000)
    await copy.log.close()
    await original.log.close()
  }

  @Test func export_ofADamagedLog_standsInForWhatIsLost() async throws {
    let original = try await ExportedLog(seed: 6)
    await original.log.close()
    try Damage.flip(30, bit: 77).inflict(on: original.folder)
    let damaged = try await Log.open(at: original.folder.path)
    #expect(throws: LogError.self) { try ExportedLog.lines(of: damaged) }
    var options = LogExport.Options()
    options.passesOverDamage = true
    let copy = try await ExportedLog.imported(try ExportedLog.lines(of: damaged, options))
    let records = try copy.log.whole()
    #expect(records.count == 60 && records[29].header.kind == .lost)
    #expect(records.filter { $0.header.kind == .lost }.count == 1)
    await damaged.close()
  }
}

extension Log {
  static func isSound(at path: String) -> Bool { (try? check(at: path).isSound) == true }
}
