import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Opening a folder that holds anything but a log reports what is wrong, and changes nothing.
@Suite struct OpeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var file: URL { URL(fileURLWithPath: folder.path(of: "data.mdb")) }

  private func expectOpening(
    throws error: LogError, at path: String? = nil, location: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try? Data(contentsOf: file)
    defer { #expect((try? Data(contentsOf: file)) == before, sourceLocation: location) }
    for isReadOnly in [false, true] {
      var options = Log.Options()
      options.isReadOnly = isReadOnly
      await #expect(throws: error, sourceLocation: location) {
        try await Log.open(at: path ?? folder.path, options: options)
      }
    }
  }

  private func makeLog(_ texts: String...) async throws {
    let log = try await Log.open(at: folder.path)
    if !texts.isEmpty { try await log.append(.of(texts)) }
    await log.close()
  }

  @Test func folder_missing() async throws {
    let path = folder.path(of: "none")
    try await expectOpening(throws: .missing(path: path), at: path)
  }

  @Test func folder_thatIsAFile() async throws {
    let path = folder.path(of: "file")
    try Data("text".utf8).write(to: URL(fileURLWithPath: path))
    try await expectOpening(throws: .notAFolder(path: path), at: path)
    try await expectOpening(throws: .notAFolder(path: "\(path)/in"), at: "\(path)/in")
  }

  /// A store reports the same about its folder as a log does.
  @Test func storesFolder_missingOrAFile() async throws {
    let (none, file) = (folder.path(of: "none"), folder.path(of: "file"))
    try Data("text".utf8).write(to: URL(fileURLWithPath: file))
    for path in [none, ""] {
      await #expect(throws: StoreError.log(.missing(path: path))) {
        try await Store.open(at: path, reducer: NoRules())
      }
    }
    await #expect(throws: StoreError.log(.notAFolder(path: file))) {
      try await Store.open(at: file, reducer: NoRules())
    }
  }

  @Test(arguments: [1, 100, 4096, 100_000])
  func file_ofGarbage(count: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    try Data(bytes).write(to: file)
    try await expectOpening(throws: .notALog(path: folder.path))
  }

  /// A file is complete before it gets its name, so an empty one was emptied and is no new log.
  @Test func file_emptied_isRefused() async throws {
    try Data().write(to: file)
    let detail = "\(file.path), which is empty: the file is cut off"
    try await expectOpening(throws: .damagedFile(path: folder.path, detail: detail))
    #expect(try Data(contentsOf: file).isEmpty)
  }

  @Test func environment_ofNamedTables_isLeftAlone() async throws {
    let environment = try Environment(at: folder.path)
    let table: Table<String, String> = try environment.table("people")
    try environment.write { transaction throws(LMDBError) in
      try transaction.put("Ada", for: "1", in: table)
    }
    environment.close()
    try await expectOpening(throws: .notALog(path: folder.path))
  }

  @Test func environment_ofTexts_isLeftAlone() async throws {
    let environment = try Environment(at: folder.path)
    let table: Table<String, String> = try environment.table(nil)
    try environment.write { transaction throws(LMDBError) in
      try transaction.put("Ada", for: "12345678", in: table)
    }
    environment.close()
    try await expectOpening(throws: .notALog(path: folder.path))
  }

  @Test func environment_ofNumbers_isLeftAlone() async throws {
    try folder.editLog { transaction, table throws(LMDBError) in
      try transaction.put([1, 2, 3], for: 1, in: table)
    }
    try await expectOpening(throws: .notALog(path: folder.path))
  }

  /// Changes bytes of the store's own record.
  private func editStore(_ change: (inout [UInt8]) -> Void) throws {
    try folder.editLog { transaction, table throws(LMDBError) in
      guard var bytes = try transaction.value(for: 0, in: table) else { return }
      change(&bytes)
      try transaction.put(bytes, for: 0, in: table)
    }
  }

  @Test func format_ofALaterVersion() async throws {
    try await makeLog("a")
    try editStore { bytes in
      bytes[8] = 3
      let checksum = Checksum.of(
        bytes.raw.extracting(droppingFirst: 16),
        continuing: Checksum.of(bytes.raw.extracting(first: 12)))
      for index in 0..<4 { bytes[12 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
    }
    try await expectOpening(throws: .newerFormat(path: folder.path, found: 3, known: 2))
  }

  @Test func storeRecord_damaged() async throws {
    try await makeLog("a")
    try editStore { $0[20] ^= 1 }
    let detail = "the store's own record"
    try await expectOpening(throws: .damagedFile(path: folder.path, detail: detail))
  }

  @Test func storeRecord_missing() async throws {
    try await makeLog("a")
    try folder.editLog { transaction, table throws(LMDBError) in
      try transaction.remove(0, from: table)
    }
    try await expectOpening(throws: .notALog(path: folder.path))
  }

  @Test func log_openAlready() async throws {
    let log = try await Log.open(at: folder.path)
    for path in [folder.path, folder.path + "/.", folder.path + "/../" + folder.name] {
      await #expect(throws: LogError.alreadyOpen(path: path)) { try await Log.open(at: path) }
    }
    await log.close()
    try await Log.open(at: folder.path).close()
  }

  /// The last reference to a closed log once released a folder that had been opened again.
  @Test func log_openAgain_isNotFreedByTheFirst() async throws {
    var first: Log? = try await Log.open(at: folder.path)
    await first?.close()
    let second = try await Log.open(at: folder.path)
    first = nil
    await #expect(throws: LogError.alreadyOpen(path: folder.path)) {
      try await Log.open(at: folder.path)
    }
    await second.close()
  }

  @Test func log_forReadingOnly_writesNothing() async throws {
    try await makeLog("a", "b")
    let before = try Data(contentsOf: file)
    var options = Log.Options()
    options.isReadOnly = true
    let log = try await Log.open(at: folder.path, options: options)
    #expect(try log.texts() == ["a", "b"])
    await #expect(throws: LogError.readOnly(path: folder.path)) { try await log.append(.of("c")) }
    #expect(try await log.holds(log.position()))
    await log.close()
    #expect(try Data(contentsOf: file) == before)
  }

  /// The stacks of threads that nobody joins were once kept forever, three for each log.
  @Test func log_openedAgainAndAgain_leavesNothingBehind() async throws {
    // Otherwise each contending thread gets an arena of 64 MB, hardly any of which is used.
    let worker = try Worker(.init(environment: ["MALLOC_ARENA_MAX": "1"]))
    var megabytes: [Int] = []
    for _ in 0..<40 {
      #expect(try await worker.ask("open \(folder.path)") == "0")
      #expect(try await worker.ask("close") == "done")
      megabytes.append(try worker.mappedMegabytes())
    }
    #expect(megabytes[39] < megabytes[9] + 100, "\(megabytes)")
  }
}

extension TemporaryFolder {
  /// The folder's name within its parent.
  var name: String { URL(fileURLWithPath: path).lastPathComponent }
}

/// A reducer that ignores every event.
private struct NoRules: Reducer {
  let version = 1
  let collections: [RowCollection] = []
  let views: [ViewDefinition] = []

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {}
}
