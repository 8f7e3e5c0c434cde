import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Any damage to a log's file is named, and everything else is recovered.
@Suite struct DamageCampaign {
  private struct Tally {
    var flips = 0
    var truncations = 0
    var named = 0
    var salvages = 0
    var recovered = 0
    var lost = 0
  }

  // Over a second: a salvage flushes to the disk, so by default only some cases include one.
  @Test(.defect(.lmdb, 4)) func damage_isNamedAndTheRestRecovered() async throws {
    let seed: UInt64 = 20_261_120
    let log = try await DamagedLog(seed: seed)
    #expect(try Log.check(at: log.path).isSound)
    var random = SeededGenerator(seed: seed)
    var tally = Tally()
    for index in 0..<Campaign.size(1000, long: 10_000) {
      let bit = log.randomBit(&random)
      try log.flip(bit)
      try await flipped(bit, log, salvaging: Campaign.isLong || index % 40 == 0, &tally)
      try log.mend(bit)
    }
    for index in 0..<Campaign.size(100, long: 1000) {
      let size = Int.random(in: 0..<log.bytes.count, using: &random)
      try log.truncate(to: size)
      try await truncated(size, log, salvaging: Campaign.isLong || index % 4 == 0, &tally)
      try log.restore()
    }
    for _ in 0..<Campaign.size(10, long: 1000) {
      let pages = try log.overwritePages(&random)
      _ = try? Log.check(at: log.path)
      if !pages.contains(0) || !pages.contains(1) { _ = try await salvaged(log, &tally) }
      try log.restore()
    }
    #expect(try Log.check(at: log.path).isSound)
    print(
      "Damage: \(tally.flips) flips, \(tally.truncations) truncations; \(tally.named) flips in",
      "records named; \(tally.salvages) salvages recovered \(tally.recovered) records,",
      "lost \(tally.lost)")
  }

  private func flipped(
    _ bit: Int, _ log: DamagedLog, salvaging: Bool, _ tally: inout Tally
  ) async throws {
    tally.flips += 1
    let report = try? Log.check(at: log.path)
    let number = log.record(at: bit)
    if let number {
      #expect(
        report?.damage.map(\.numbers) == [number...number],
        "bit \(bit): \(String(describing: report))")
      #expect(report?.pages.isSound == true, "bit \(bit)")
      tally.named += 1
    }
    guard salvaging else { return }
    let (salvage, records) = try await salvaged(log, &tally)
    #expect(
      salvage.lostCount <= 1, "bit \(bit) in record \(String(describing: number)): \(salvage)")
    #expect(!salvage.isNewStore || number == nil)
    #expect(records.count == log.records.count, "bit \(bit)")
  }

  private func truncated(
    _ size: Int, _ log: DamagedLog, salvaging: Bool, _ tally: inout Tally
  ) async throws {
    tally.truncations += 1
    let report = try? Log.check(at: log.path)
    // A cut may hit only free space.
    if let report, report.isSound { #expect(report.recordCount == log.records.count) }
    try await opened(log)
    // Too little of the meta pages may be left to tell them from any other bytes.
    guard salvaging, size >= 4096 else { return }
    _ = try await salvaged(log, &tally)
  }

  /// Opens the log, which must have all its records or fail to open.
  private func opened(_ log: DamagedLog) async throws {
    do {
      let opened = try await Log.open(at: log.path)
      #expect(try opened.everything() == log.records)
      await opened.close()
    } catch is LogError {}
  }

  /// Salvages the log, and compares the recovered records with the original ones.
  private func salvaged(
    _ log: DamagedLog, _ tally: inout Tally
  ) async throws -> (SalvageReport, [Record]) {
    let folder = try TemporaryFolder()
    let report = try Log.salvage(from: log.path, into: folder.path)
    let check = try Log.check(at: folder.path)
    #expect(check.isSound, "\(check)")
    let new = try await Log.open(at: folder.path)
    let records = try new.everything()
    await new.close()
    var recovered: UInt64 = 0
    for record in records where record.header.kind != .lost {
      let old = log.records[Int(record.number.rawValue) - 1]
      #expect(record.holdsSame(as: old), "record \(record.number)")
      recovered += 1
    }
    #expect(recovered == report.recordCount && check.lostCount == report.lostCount)
    tally.salvages += 1
    tally.recovered += Int(report.recordCount)
    tally.lost += Int(report.lostCount)
    return (report, records)
  }
}
