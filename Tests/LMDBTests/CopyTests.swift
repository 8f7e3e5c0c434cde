import Foundation
import LMDB
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CopyTests {
  @Test(arguments: [false, true]) func copy_equalsTheOriginal(compacting: Bool) throws {
    let records = try Records()
    try records.fill(0..<2000, 500)
    try records.fill(0..<1, 100_000)
    try records.environment.write { transaction throws(LMDBError) in
      for key in stride(from: UInt64(1), to: 2000, by: 2) {
        try transaction.remove(key, from: records.table)
      }
    }
    let target = try TemporaryFolder()
    try records.environment.copy(to: target.path, compacting: compacting)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["data.mdb"])
    let copy = try Environment(at: target.path)
    #expect(try Records.all(of: copy) == Records.all(of: records.environment))
    let (size, original) = (try copy.information.pages, try records.environment.information.pages)
    #expect(compacting ? size < original : size == original)
    let table: Records.Table = try copy.table("records", options: [])
    try copy.write { transaction throws(LMDBError) in
      try transaction.put([1], for: 1, in: table)
    }
  }

  @Test(arguments: [false, true]) func copy_ofNothing(compacting: Bool) throws {
    let folder = try TemporaryFolder()
    let target = try TemporaryFolder()
    try Environment(at: folder.path).copy(to: target.path, compacting: compacting)
    #expect(try Records.all(of: Environment(at: target.path)).isEmpty)
  }

  @Test func copy_whereThereIsOne_isRefused() throws {
    let (records, other) = (try Records(), try Records())
    let path = other.folder.path
    func code() -> LMDBError.Code? {
      failure { () throws(LMDBError) in try records.environment.copy(to: path) }
    }
    #expect(code() == .alreadyOpen)
    other.environment.close()
    #expect(code() == .keyExists)
    #expect(
      failure { () throws(LMDBError) in try records.environment.copy(to: path + "/none") }
        == .missing)
  }

  /// Growth must not unmap the file while a copy reads it.
  @Test func copy_whileTheMapGrows_isOneMoment() throws {
    var options = Environment.Options()
    options.growthPatience = .seconds(600)
    let records = try Records(options)
    try records.fill(0..<100, 4000)
    let growing = WorkerThread {
      for round in 1..<UInt64(30) {
        let code = failure { () throws(LMDBError) in
          try records.fill(round * 100..<(round + 1) * 100, 4000)
        }
        #expect(code == nil)
      }
    }
    for round in 0..<10 {
      let target = try TemporaryFolder()
      try records.environment.copy(to: target.path, compacting: round.isMultiple(of: 2))
      #expect(try Records.all(of: Environment(at: target.path)).count.isMultiple(of: 100))
    }
    growing.join()
  }

  @Test func failedCopy_leavesNothing() throws {
    let records = try Records()
    try records.fill(0..<100, 4000)
    let target = try TemporaryFolder()
    let worker = try Worker("copy", records.folder.path, target.path, filesUpTo: 16)
    #expect(worker.end() == "\(LMDBError.Code.system(EFBIG))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).isEmpty)
  }

  @Test func interruptedCopy_leavesNothingThatCouldBeTakenForOne() throws {
    let records = try Records()
    try records.fill(0..<400, 1 << 16)
    let target = try TemporaryFolder()
    let worker = try Worker("copy", records.folder.path, target.path)
    #expect(worker.line() == "ready")
    while worker.isRunning, try names(target).isEmpty {}
    worker.kill()
    // Whether or not the kill came in time, a file with a copy's name is a complete copy.
    if try !names(target).contains("data.mdb") { try records.environment.copy(to: target.path) }
    #expect(try names(target) == ["data.mdb"])
    #expect(try Records.all(of: Environment(at: target.path)).count == 400)
  }

  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }
}
