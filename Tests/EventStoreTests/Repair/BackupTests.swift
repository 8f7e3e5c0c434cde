import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// A backup is an independent log, either complete or absent.
@Suite struct BackupTests {
  @Test(arguments: [true, false])
  func backup_holdsWhatWasThere(compacting: Bool) async throws {
    let (folder, copy) = (try TemporaryFolder(), try TemporaryFolder())
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a", "b"))
    let before = try await log.position()
    try await log.backup(to: copy.path, compacting: compacting)
    try await log.append(.of("c"))
    let after = try await log.position()

    #expect(try Log.check(at: copy.path).isSound)
    let restored = try await Log.open(at: copy.path)
    #expect(try restored.texts() == ["a", "b"])
    #expect(restored.store == log.store && restored.incarnation != log.incarnation)
    #expect(try restored.holds(before) && !restored.holds(after))
    try await restored.append(.of("other"))
    #expect(try restored.holds(before) && !restored.holds(after))
    #expect(restored.fingerprint(of: "x") == log.fingerprint(of: "x"))
    await restored.close()
    await log.close()
  }

  // The log outgrows its first map during the backup.
  @Test func backup_isConsistentBesideAppends() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    let text = String(repeating: "-", count: 2000)
    let writer = Task {
      for index in 0..<100 {
        let texts = (0..<20).map { "\(index).\($0)\(text)" }
        try await log.append(.of(texts), durability: .relaxed)
      }
    }
    for _ in 0..<3 {
      let copy = try TemporaryFolder()
      try await log.backup(to: copy.path)
      let report = try Log.check(at: copy.path)
      #expect(report.isSound, "\(report)")
    }
    try await writer.value
    #expect(try log.texts().count == 2000)
    await log.close()
    #expect(try Log.check(at: folder.path).recordCount == 2000)
  }

  @Test func close_waitsForBackups() async throws {
    for _ in 0..<10 {
      let (folder, copy) = (try TemporaryFolder(), try TemporaryFolder())
      let log = try await Log.open(at: folder.path)
      try await log.append(.of((0..<500).map { "\($0)" }))
      let backup = Task { try await log.backup(to: copy.path) }
      await log.close()
      switch await backup.result {
      case .success: #expect(try Log.check(at: copy.path).recordCount == 500)
      case .failure(let error): #expect(error as? LogError == .closed(path: folder.path))
      }
    }
  }

  @Test func interruptedBackup_isNoLog() async throws {
    let (folder, copy) = (try TemporaryFolder(), try TemporaryFolder())
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    let rest = copy.path(of: "unfinished/creating-1-1")
    try FileManager.default.createDirectory(atPath: rest, withIntermediateDirectories: true)
    try Data("rest".utf8).write(to: URL(filePath: rest + "/data.mdb"))
    #expect(throws: LogError.missing(path: copy.path)) { try Log.check(at: copy.path) }
    try await log.backup(to: copy.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: copy.path) == ["data.mdb"])
    await #expect(throws: LogError.occupied(path: copy.path)) {
      try await log.backup(to: copy.path)
    }
    await #expect(throws: LogError.self) { try await log.backup(to: copy.path(of: "nowhere")) }
    await log.close()
    let other = try TemporaryFolder()
    await #expect(throws: LogError.closed(path: folder.path)) {
      try await log.backup(to: other.path)
    }
  }

  @Test func check_worksBesideAppends() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    let writer = Task {
      for index in 0..<50 { try await log.append(.of("\(index)"), durability: .relaxed) }
    }
    var seen: UInt64 = 0
    while seen < 50 {
      do {
        let report = try Log.check(at: folder.path)
        #expect(report.isSound, "\(report)")
        #expect(report.recordCount >= seen)
        seen = report.recordCount
      } catch LogError.failed {
        // The file was being written throughout the check.
      }
      // Both tasks run on the cooperative pool, which may have only one thread.
      try await Task.sleep(for: .milliseconds(1))
    }
    try await writer.value
    await log.close()
  }
}
