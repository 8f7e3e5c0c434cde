import Foundation
import LMDB
import TestSupport
import Testing

/// The effects of other processes, including killed ones, on an environment.
@Suite(.timeLimit(.minutes(5))) struct ProcessTests {
  @Test(.defect(.lmdb, 5)) func killedReader_isCleared() throws {
    let records = try Records()
    try records.fill(0..<3)
    let worker = try Worker("read", records.folder.path)
    #expect(worker.line() == "ready")
    #expect(try records.environment.readers().contains { $0.process == worker.number })
    #expect(try records.environment.clearStaleReaders() == 0)
    worker.kill()
    #expect(try records.environment.clearStaleReaders() > 0)
    #expect(try !records.environment.readers().contains { $0.process == worker.number })
  }

  @Test func killedReaders_makeRoomWhereSlotsRunOut() throws {
    var options = Environment.Options()
    options.readersMax = 6
    let records = try Records(options)
    let own = try records.environment.readers().count
    let worker = try Worker("holdReaders", records.folder.path, "\(6 - own)")
    #expect(worker.line() == "ready")
    worker.kill()
    let (first, second) = (
      try records.environment.beginReading().id, try records.environment.beginReading().id
    )
    #expect(first == second)
  }

  @Test func killedWriter_leavesNothingAndHoldsNobodyUp() throws {
    let records = try Records()
    try records.fill(0..<3)
    let before = try Records.all(of: records.environment)
    let worker = try Worker("holdWriter", records.folder.path)
    #expect(worker.line() == "ready")
    worker.kill()
    #expect(try Records.all(of: records.environment) == before)
    try records.fill(3..<4)
    #expect(try records.count() == 4)
  }

  @Test func stoppedReader_isVisibleAndHoldsNoWriterUp() throws {
    let records = try Records()
    try records.fill(0..<3)
    let transaction = try records.environment.lastTransaction
    let worker = try Worker("read", records.folder.path)
    #expect(worker.line() == "ready")
    worker.kill(SIGSTOP)
    for round in 1..<UInt64(20) { try records.fill(0..<round * 3) }
    let reader = try records.environment.readers().first { $0.process == worker.number }
    #expect(reader?.transaction == transaction)
    #expect(try records.environment.clearStaleReaders() == 0)
    worker.kill(SIGCONT)
    #expect(worker.end() == "3")
    #expect(try records.count() == 57)
  }

  @Test func anotherProcessGrowing_isAdoptedSilently() throws {
    let records = try Records()
    #expect(try records.count() == 0)
    let size = try #require(Int(Worker("fill", records.folder.path, "8").end() ?? ""))
    #expect(size >= 8 << 20)
    #expect(try records.count() == 8 * 16)
    #expect(try records.environment.information.mapSize == size)
    try records.fill(1..<2)
    _ = try Worker("fill", records.folder.path, "16").end()
    try records.fill(1..<2)
    #expect(try records.count() == 24 * 16)
  }

  @Test func openingAtTheSameTime_works() throws {
    let folder = try TemporaryFolder()
    let workers = try (0..<3).map { _ in try Worker("open", folder.path) }
    #expect(workers.map { $0.end() } == ["opened", "opened", "opened"])
  }
}
