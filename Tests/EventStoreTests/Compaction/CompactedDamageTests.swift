import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Compacted logs in which any one bit is flipped.
@Suite(.timeLimit(.minutes(5))) struct CompactedDamageTests {
  /// Takes a second or two: after each flip, the log is checked, salvaged, and read.
  @Test(arguments: 0..<UInt64(Campaign.size(4, long: 100)))
  func flip_isNamed_andTheRestRecovered(_ seed: UInt64) async throws {
    var history = try await CompactedHistory(seed: seed, countMax: 60)
    for _ in 0..<2 {
      try await history.append()
      try await history.compact()
    }
    try await history.append()
    await history.log.close()
    let (path, known) = (history.folder.path(of: "data.mdb"), Set(history.everything))
    let sound = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
    var generator = SeededGenerator(seed: seed)
    var named = 0
    for _ in 0..<25 {
      var bytes = sound
      let bit = Int.random(in: 0..<bytes.count * 8, using: &generator)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let report = try? Log.check(at: history.folder.path)
      if report?.isSound != true { named += 1 }
      let salvaged = try TemporaryFolder()
      let comment: Comment = "seed \(seed), bit \(bit)"
      guard let salvage = try? Log.salvage(from: history.folder.path, into: salvaged.path) else {
        #expect(report == nil, comment)
        continue
      }
      #expect(try Log.check(at: salvaged.path).isSound, comment)
      let log = try await Log.open(at: salvaged.path)
      let texts = try log.numberedTexts().filter { !$0.hasSuffix(" ?") }
      #expect(known.isSuperset(of: texts), comment)
      if report?.isSound == true { #expect(texts == history.everything, comment) }
      let lost = known.count - texts.count
      #expect(lost <= 1 || report?.pages.isSound == false || salvage.isNewStore, comment)
      await log.close()
    }
    #expect(named > 0, "seed \(seed)")
  }

  /// Without the store's own record nobody knows that the numbers are those of a baseline; they are
  /// no record numbers.
  @Test func baseline_withoutTheStoresRecord_isNotTakenForTheLog() async throws {
    let (folder, backup, salvaged) = (
      try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder()
    )
    let log = try await Log.open(at: folder.path)
    try await log.append(.of(["a", "b", "c"]))
    _ = try await log.compact(through: 3) { last in
      [RecordNumber(1), 3].filter { $0 > last }.map { .kept($0) }
    }
    // A copy without free pages holds no earlier version of the record.
    try await log.backup(to: backup.path)
    await log.close()
    let path = backup.path(of: "data.mdb")
    var bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
    let mark = Array("tideline".utf8)
    for start in bytes.indices.dropLast(mark.count)
    where Array(bytes[start..<start + mark.count]) == mark { bytes[start + 40] ^= 1 }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let report = try Log.salvage(from: backup.path, into: salvaged.path)
    #expect(report.isNewStore && report.last == .zero)
    #expect(try Log.check(at: salvaged.path).isSound)
    let new = try await Log.open(at: salvaged.path)
    #expect(try await new.append(.of(["d"])) == 1...1)
    await new.close()
  }
}
