import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Erased payloads are in no file any more, and everything else is where it was.
@Suite(.timeLimit(.minutes(5))) struct ErasureTests {
  private static let seeds = 0..<UInt64(Campaign.size(4, long: 100))

  /// Takes about a second: a thousand payloads of up to 20,000 bytes are searched for byte by byte.
  @Test(arguments: seeds) func erased_isNowhere(_ seed: UInt64) async throws {
    var planted = try await PlantedLog(seed: seed)
    try await planted.plant(1000)
    let position = try await planted.log.position()
    #expect(try !PlantedLog.marks(in: planted.folder.path).isEmpty)
    let incarnation = planted.log.incarnation
    let report = try await planted.log.erase(planted.erasure)
    #expect(report == ErasureReport(recordCount: 1000, isWiped: true), "seed \(seed)")
    #expect(try PlantedLog.marks(in: planted.folder.path) == [], "seed \(seed)")
    try planted.expectRest("seed \(seed)")
    #expect(try planted.log.holds(position))
    #expect(planted.log.incarnation != incarnation)

    try await planted.plant(0)
    for _ in 0..<30 { try await planted.log.append(.of("more")) }
    await planted.log.close()
    #expect(try PlantedLog.marks(in: planted.folder.path) == [], "seed \(seed)")
    let check = try Log.check(at: planted.folder.path)
    #expect(check.isSound && check.erasedCount == 1000, "seed \(seed): \(check)")
  }

  /// Takes some seconds: the log is copied for each commit, and each copy is searched.
  @Test(arguments: 0..<UInt64(Campaign.size(2, long: 20)))
  func crash_behindAnyCommit_isFinishedByTheNextOpening(_ seed: UInt64) async throws {
    var planted = try await PlantedLog(seed: seed)
    try await planted.plant(40)
    let images = CrashImages(of: planted.folder.path)
    let clock = images.clock
    try await planted.log.erase(planted.erasure, holdMax: .nanoseconds(1), clock: clock)
    await planted.log.close()
    let folders = try images.all()
    #expect(folders.count > 10)
    // Before the first commit, no erasure has been requested.
    for (index, folder) in folders.enumerated().dropFirst() {
      let log = try await Log.open(at: folder.path)
      try await log.finishUpkeep()
      var copied = planted
      copied.log = log
      try copied.expectRest("seed \(seed), image \(index)")
      await log.close()
      #expect(try PlantedLog.marks(in: folder.path) == [], "seed \(seed), image \(index)")
      #expect(try Log.check(at: folder.path).isSound)
    }
  }

  @Test func reader_keepsWhatItReads_untilItEnds() async throws {
    var planted = try await PlantedLog(seed: 5)
    try await planted.plant(100)
    let (log, folder) = (planted.log, planted.folder)
    let (began, mayEnd, ended) = (Monitor(false), Monitor(false), Monitor(false))
    // The reader needs its own thread, because it blocks until it is told to end.
    _ = WorkerThread {
      do {
        try log.read { snapshot in
          let before = try snapshot.allTexts()
          began.withLock { $0 = true }
          _ = mayEnd.withLock(when: { $0 }) { _ in }
          #expect(try snapshot.allTexts() == before, "a snapshot does not change")
        }
      } catch { Issue.record(error) }
      ended.withLock { $0 = true }
    }
    try await Self.wait(for: began)
    let report = try await log.erase(planted.erasure)
    #expect(report == ErasureReport(recordCount: 100, isWiped: false))
    // A compaction would have to drop the pending wipe.
    await #expect(throws: LogError.busy(path: folder.path)) {
      try await log.compact(through: log.last) { _ in [] }
    }
    mayEnd.withLock { $0 = true }
    mayEnd.notify()
    try await Self.wait(for: ended)
    try await log.finishUpkeep()
    #expect(try PlantedLog.marks(in: folder.path) == [])
    try planted.expectRest("after the reader")
    await log.close()
  }

  private static func wait(for flag: Monitor<Bool>) async throws {
    while !flag.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func spool_isErasedToo() async throws {
    let (folder, spooled) = (try TemporaryFolder(), try TemporaryFolder())
    let log = try await Log.open(at: folder.path)
    let spool = try Spool(at: spooled.path)
    let event = Event(kind: .note, recordedAt: Timestamp(rawValue: 1))
    for _ in 0..<10 { try spool.write(event, about: "x") { $0.put(1, "planted-spool") } }
    let refused = Data("planted-nonsense".utf8)
    try refused.write(to: URL(fileURLWithPath: spooled.path(of: "1.event")))
    let report = try await log.erase(
      Erasure(entities: [log.fingerprint(of: "x")]), spool: spool)
    #expect(report == ErasureReport(recordCount: 10, isWiped: true))
    #expect(try PlantedLog.marks(in: folder.path) + PlantedLog.marks(in: spooled.path) == [])
    await log.close()
  }

  @Test func erasure_isLimited() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    let erasure = Erasure(accounts: Set(0...UInt32(Erasure.itemsMax)))
    await #expect(
      throws: LogError.tooMany(
        of: "items of an erasure", count: Erasure.itemsMax + 1, limit: Erasure.itemsMax)
    ) { try await log.erase(erasure) }
    await log.close()
  }
}

extension Snapshot {
  /// Returns the texts of all notes.
  fileprivate borrowing func allTexts() throws -> [String] {
    var texts: [String] = []
    var cursor = try records()
    while try cursor.next() { texts.append(cursor.record.record.text) }
    return texts
  }
}
