import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Each kind of damage, and what a check reports about it.
@Suite struct CheckTests {
  /// Creates a log of `count` short notes, and closes it.
  private func log(_ count: Int) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(.of((1...count).map(String.init)))
    await log.close()
    return folder
  }

  /// Changes entries without the log's knowledge.
  private func change(
    _ folder: TemporaryFolder,
    _ body: (inout WriteTransaction, Table<UInt64, [UInt8]>) throws(LMDBError) -> Void
  ) throws {
    let environment = try Environment(at: folder.path)
    let table: Table<UInt64, [UInt8]> = try environment.table(nil)
    try environment.write { transaction throws(LMDBError) in try body(&transaction, table) }
    environment.close()
  }

  @Test func soundLog_isCounted() async throws {
    let folder = try await log(9)
    var calls: [UInt64] = []
    let report = try Log.check(at: folder.path) { done, total in
      calls.append(done)
      #expect(done <= total)
    }
    #expect(report.isSound && report.recordCount == 9 && calls == [10])
    #expect(report.first == 1 && report.last == 9 && report.payloadBytes == 27)
    #expect(report.description.hasPrefix("\(folder.path): 9 records, numbers 1 to 9, "))
    #expect(report.json.contains(#""sound":true"#) && report.json.contains(#""records":9"#))
  }

  /// A file is complete before it gets its name, so an empty file was emptied later.
  @Test func emptyLog_isSound_andAnEmptiedOneIsNot() async throws {
    let folder = try TemporaryFolder()
    #expect(throws: LogError.missing(path: folder.path)) { try Log.check(at: folder.path) }
    await (try await Log.open(at: folder.path)).close()
    #expect(try Log.check(at: folder.path).isSound)
    try Data().write(to: URL(filePath: folder.path(of: "data.mdb")))
    let error = #expect(throws: LogError.self) { try Log.check(at: folder.path) }
    if case .damagedFile? = error {} else { Issue.record("\(String(describing: error))") }
    await #expect(throws: LogError.self) { try await Log.open(at: folder.path) }
  }

  @Test func holes_areNamedAsRanges() async throws {
    let folder = try await log(20)
    try change(folder) { (transaction, table) throws(LMDBError) in
      for key: UInt64 in [1, 5, 6, 7, 12] { try transaction.remove(key, from: table) }
    }
    let report = try Log.check(at: folder.path)
    #expect(report.damage == [.missing(1...1), .missing(5...7), .missing(12...12)])
    #expect(report.recordCount == 15 && report.pages.isSound)
    #expect(report.description.contains("\n- records 5 to 7 are missing\n"))
    #expect(report.json.contains(#"{"from":5,"to":7,"what":"records 5 to 7 are missing"}"#))
  }

  @Test func damage_isBoundedAndCounted() async throws {
    let folder = try await log(2501)
    try change(folder) { (transaction, table) throws(LMDBError) in
      for key in stride(from: UInt64(2), to: 2501, by: 2) {
        try transaction.remove(key, from: table)
      }
    }
    let report = try Log.check(at: folder.path)
    #expect(report.damage.count == CheckReport.damageMax && report.damageCount == 1250)
    #expect(report.description.hasSuffix("and 250 more"))
  }

  @Test func neighbours_areBothNamed() async throws {
    let folder = try await log(9)
    try change(folder) { (transaction, table) throws(LMDBError) in
      for key: UInt64 in [4, 5] {
        guard var value = try transaction.value(for: key, in: table) else { continue }
        value[9] ^= 4
        try transaction.put(value, for: key, in: table)
      }
    }
    #expect(
      try Log.check(at: folder.path).damage == [.record(4, .chain), .record(5, .chain)])
  }

  @Test func exchangedRecords_areNamed() async throws {
    let folder = try await log(9)
    try change(folder) { (transaction, table) throws(LMDBError) in
      guard let four = try transaction.value(for: 4, in: table),
        let five = try transaction.value(for: 5, in: table)
      else { return }
      try transaction.put(five, for: 4, in: table)
      try transaction.put(four, for: 5, in: table)
    }
    let named = try Log.check(at: folder.path).damage.compactMap(\.numbers)
    #expect(named.starts(with: [4...4, 5...5]))
  }

  @Test func damagedKeys_leaveTheRecordsInPlace() async throws {
    let log = try await DamagedLog(seed: 9, batches: 3)
    let short = log.records.filter { $0.payload.count < 500 }
    for record in short {
      let place = try #require(log.places[record.number])
      let bit = (place.lowerBound - 8) * 8 + Int(record.number.rawValue % 64)
      try log.flip(bit)
      let key = record.number.rawValue ^ 1 << (record.number.rawValue % 64)
      #expect(try Log.check(at: log.path).damage == [.misplaced(record.number, under: key)])
      try log.mend(bit)
    }
  }

  @Test func unknownForms_areNamedAndPassedOver() async throws {
    let log = try await DamagedLog(seed: 10, batches: 2)
    let number = log.records[3].number
    try log.write([2], at: try #require(log.places[number]).lowerBound)
    let report = try Log.check(at: log.path)
    #expect(report.damage == [.record(number, .unknownFormat)])
    #expect(report.recordCount == UInt64(log.records.count) - 1)
  }

  @Test func opening_isRefusedForWhatIsNoLog() async throws {
    let log = try await DamagedLog(seed: 11, batches: 2)
    let other = [UInt8](repeating: 7, count: 20_000)
    try log.write(other, at: 0)
    await #expect(throws: LogError.notALog(path: log.path)) { try await Log.open(at: log.path) }
    try log.restore()
    for page in [0, 4096] { try log.write([2], at: page + 20) }
    await #expect(throws: LogError.notALog(path: log.path)) { try await Log.open(at: log.path) }
    try log.restore()
    try log.truncate(to: 12_288)
    await #expect {
      try await Log.open(at: log.path)
    } throws: { error in
      if case LogError.damagedFile = error { true } else { false }
    }
    try log.restore()
    let opened = try await Log.open(at: log.path)
    #expect(try opened.everything() == log.records)
    await opened.close()
  }
}
