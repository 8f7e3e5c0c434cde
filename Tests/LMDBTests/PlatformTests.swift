import Foundation
import LMDB
import TestSupport
import Testing

/// The system helpers that other modules build on.
@Suite struct PlatformTests {
  let temporary: TemporaryFolder
  var folder: Folder { Folder(temporary.path) }

  init() throws { temporary = try TemporaryFolder() }

  @Test func boot_isReadFromItsUUID() {
    let boot = Boot(uuid: "01234567-89ab-cdef-FEDC-ba9876543210\n")
    #expect(boot == Boot(id: 0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210))
  }

  @Test(arguments: [
    "", "\n", "x", "00000000-0000-0000-0000-000000000000", "0123456789abcdeffedcba9876543210",
    "01234567-89ab-cdef-fedc-ba987654321", "01234567-89ab-cdef-fedc-ba98765432100",
    "01234567-89ab-cdef-fedc-ba987654321g", "+1234567-89ab-cdef-fedc-ba9876543210",
    "01234567-89ab-cdef-fedc-", "é1234567-89ab-cdef-fedc-ba987654321",
  ])
  func boot_isNoOther(text: String) { #expect(Boot(uuid: text) == nil) }

  @Test func boot_ofThisRun_isTheSameForAll() throws {
    #expect(Boot.current == Boot.current)
    guard FileManager.default.fileExists(atPath: "/proc/sys/kernel/random/boot_id") else { return }
    let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    #expect(Boot.current == Boot(uuid: text))
    #expect(Boot.current != nil)
  }

  /// Whether another open file of that name can be locked.
  private func canLock(shared: Bool = false) throws -> Bool {
    try File(folder.path(of: "lock"), .open).tryLock(shared: shared)
  }

  @Test func lock_isOnes_orShared() throws {
    do {
      let file = try File(folder.path(of: "lock"), .open)
      let isLocked = try file.tryLock()
      #expect(isLocked)
      #expect(try !canLock() && !canLock(shared: true))
      file.unlock()
      #expect(try canLock() && canLock(shared: true))
      let isShared = try file.tryLock(shared: true)
      #expect(isShared)
      #expect(try !canLock() && canLock(shared: true))
    }
    #expect(try canLock())
  }

  @Test func bytes_ofAFile_areReplacedWhole_andReadToALimit() throws {
    #expect(try folder.bytes(of: "a", limit: 10) == nil)
    try folder.replace("a", with: [1, 2, 3])
    let first = try #require(try folder.status(of: "a"))
    #expect(first.size == 3)
    #expect(try folder.bytes(of: "a", limit: 3) == [1, 2, 3])
    #expect(try folder.bytes(of: "a", limit: 2) == nil)
    try File(folder.path(of: "a" + Folder.unfinished), .create).write([9])
    try folder.replace("a", with: [4])
    #expect(try folder.bytes(of: "a", limit: 3) == [4])
    #expect(try folder.names() == ["a"])
    #expect(try folder.identity(of: "a") == File(folder.path(of: "a"), .read).identity())
    #expect(try folder.identity(of: "b") == nil)
    #expect(try folder.folder("a").status(of: "b") == nil)
  }

  #if os(Linux)
    /// The error names whatever file could not be removed.
    @Test func fileThatCantBeRemoved_isNamed() throws {
      let files = Folder("/proc/self/fdinfo")
      let error = #expect(throws: LMDBError.self) { try files.removeWithFiles() }
      #expect(error?.code == .notPermitted && error?.subject.hasPrefix("remove ") == true)
    }
  #endif

  /// Where a file can't have two names it is renamed, and never replaces another file.
  @Test(arguments: [true, false]) func file_isTakenOver(canLink: Bool) throws {
    let other = folder.folder("other")
    try other.create()
    try other.replace("a", with: [1])
    try folder.adopt("a", from: other, canLink: canLink)
    #expect(try folder.bytes(of: "a", limit: 9) == [1])
    try other.replace("a", with: [2])
    try folder.adopt("a", from: other, canLink: canLink)
    #expect(try folder.bytes(of: "a", limit: 9) == [1])
    #expect(throws: LMDBError.self) { try folder.adopt("b", from: other, canLink: canLink) }
  }

  @Test func folder_whereAFileIs_isNotMade() throws {
    try folder.folder("a").create()
    try folder.folder("a").create()
    try folder.replace("b", with: [])
    #expect(throws: LMDBError.self) { try folder.folder("b").create() }
  }

  @Test func environment_readingAhead_orDisposable_isLikeAnyOther() throws {
    for (readsAhead, isDisposable) in [(true, false), (false, true), (true, true)] {
      let temporary = try TemporaryFolder()
      var options = Environment.Options()
      (options.readsAhead, options.isDisposable) = (readsAhead, isDisposable)
      for round in 0..<2 as Range<UInt64> {
        let environment = try Environment(at: temporary.path, options: options)
        let table: Table<UInt64, UInt64> = try environment.table("numbers")
        try environment.write(.none) { transaction throws(LMDBError) in
          try transaction.put(round, for: round, in: table)
        }
        let count = try environment.read { transaction throws(LMDBError) in
          try transaction.count(of: table)
        }
        #expect(count == Int(round) + 1)
        environment.close()
      }
    }
  }
}
