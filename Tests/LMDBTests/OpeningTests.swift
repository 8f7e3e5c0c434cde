import Foundation
import LMDB
import TestSupport
import Testing

@Suite struct OpeningTests {
  private func codeOfOpening(
    _ path: String, _ options: Environment.Options = .init()
  ) -> LMDBError.Code? {
    failure { () throws(LMDBError) in _ = try Environment(at: path, options: options) }
  }

  private func readOnly() -> Environment.Options {
    var options = Environment.Options()
    options.isReadOnly = true
    return options
  }

  @Test(.defect(.lmdb, 3)) func twice_isRefusedByWhateverPath() throws {
    let records = try Records()
    let path = records.folder.path
    let link = path + "-link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    defer { try? FileManager.default.removeItem(atPath: link) }
    for name in [path, path + "/", path + "/../" + (path as NSString).lastPathComponent, link] {
      #expect(codeOfOpening(name) == .alreadyOpen)
    }
    records.environment.close()
    #expect(codeOfOpening(link) == nil)
    #expect(codeOfOpening(path) == nil)
  }

  /// Releasing a claim twice, in `close` and in `deinit`, once released the next owner's claim.
  @Test func twice_isRefusedAlsoWhenAnEarlierOwnerGoes() throws {
    let folder = try TemporaryFolder()
    var first: Environment? = try Environment(at: folder.path)
    first?.close()
    let second = try Environment(at: folder.path)
    first = nil
    #expect(codeOfOpening(folder.path) == .alreadyOpen)
    second.close()
  }

  @Test func anotherFolderOfThatName_isAnother() throws {
    let records = try Records()
    try FileManager.default.removeItem(atPath: records.folder.path)
    try FileManager.default.createDirectory(
      atPath: records.folder.path, withIntermediateDirectories: false)
    #expect(codeOfOpening(records.folder.path) == nil)
  }

  @Test func failedOpening_claimsNothing() throws {
    let folder = try TemporaryFolder()
    #expect(codeOfOpening(folder.path, readOnly()) == .missing)
    #expect(codeOfOpening(folder.path) == nil)
  }

  @Test func missingFolder_isMissing() throws {
    let folder = try TemporaryFolder()
    #expect(codeOfOpening(folder.path + "/none") == .missing)
    try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
    #expect(codeOfOpening(folder.path + "/file") == .notAFolder)
  }

  @Test func anotherFile_isInvalid() throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path + "/data.mdb")
    try Data(repeating: 65, count: 10_000).write(to: file)
    #expect(codeOfOpening(folder.path) == .invalid)
    try Data(repeating: 65, count: 10).write(to: file)
    #expect(codeOfOpening(folder.path) == .invalid)
  }

  @Test func anotherVersion_isAMismatch() throws {
    let records = try Records()
    records.environment.close()
    let file = URL(fileURLWithPath: records.folder.path + "/data.mdb")
    var data = try Data(contentsOf: file)
    let versionOffset = 20
    for meta in 0..<2 { data[meta * 4096 + versionOffset] = 99 }
    try data.write(to: file)
    #expect(codeOfOpening(records.folder.path) == .versionMismatch)
  }

  @Test func notPermitted_withoutTheRight() throws {
    // The system denies root nothing, so a process of another user tries.
    guard geteuid() == 0 else { return }
    let records = try Records()
    try records.fill(0..<1)
    records.environment.close()
    #expect(try Worker("open", records.folder.path, "65534").end() == "notPermitted")
  }

  @Test func readOnly_readsAndRefusesToWrite() throws {
    let records = try Records()
    try records.fill(0..<3)
    records.environment.close()
    let environment = try Environment(at: records.folder.path, options: readOnly())
    #expect(try Records.all(of: environment).count == 3)
    let table: Table<UInt64, [UInt8]> = try environment.table("records")
    #expect(
      failure { () throws(LMDBError) in
        try environment.write { transaction throws(LMDBError) in
          try transaction.put([], for: 1, in: table)
        }
      } == .readOnly)
    #expect(failure { () throws(LMDBError) in try environment.flush() } == .readOnly)
    #expect(
      failure { () throws(LMDBError) in try environment.table("other") as Table<String, String> }
        == .notFound)
  }

  @Test func readOnly_opensTablesFromManyThreads() throws {
    let folder = try TemporaryFolder()
    do {
      let environment = try Environment(at: folder.path)
      for name in 0..<10 { _ = try environment.table("\(name)") as Table<String, String> }
    }
    let environment = try Environment(at: folder.path, options: readOnly())
    let opening: @Sendable () -> Void = {
      for round in 0..<100 {
        let code = failure { () throws(LMDBError) in
          let table: Table<String, String> = try environment.table("\(round % 10)")
          _ = try environment.beginReading().count(of: table)
        }
        #expect(code == nil)
      }
    }
    concurrently(opening, opening, opening)
  }

  @Test func table_ofOtherOptions_isIncompatible() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let both: TableOptions = [.create, .duplicates]
    _ = try environment.table("words") as Table<String, String>
    _ = try environment.table("numbers") as Table<UInt64, String>
    _ = try environment.table("many", options: both) as Table<String, String>
    func code<Key: TableElement>(
      _ name: String, _ key: Key.Type, _ options: TableOptions
    ) -> LMDBError.Code? {
      failure { () throws(LMDBError) in
        try environment.table(name, options: options) as Table<Key, String>
      }
    }
    #expect(code("words", UInt64.self, .create) == .incompatible)
    #expect(code("words", String.self, both) == .incompatible)
    #expect(code("numbers", String.self, .create) == .incompatible)
    #expect(code("many", String.self, .create) == .incompatible)
    #expect(code("words", String.self, []) == nil)
    #expect(code("none", String.self, []) == .notFound)
    #expect(code("", String.self, .create) == .badValueSize)
  }

  @Test func tables_beyondTheLimit_areRefused() throws {
    let folder = try TemporaryFolder()
    var options = Environment.Options()
    options.tablesMax = 1
    let environment = try Environment(at: folder.path, options: options)
    _ = try environment.table("one") as Table<String, String>
    #expect(
      failure { () throws(LMDBError) in try environment.table("two") as Table<String, String> }
        == .tablesFull)
  }

  @Test func keysAndValues_ofImpossibleSize_areRefused() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let words: Table<[UInt8], [UInt8]> = try environment.table("words")
    let many: Table<[UInt8], [UInt8]> = try environment.table(
      "many", options: [.create, .duplicates])
    func code(_ key: Int, _ value: Int, _ table: Table<[UInt8], [UInt8]>) -> LMDBError.Code? {
      failure { () throws(LMDBError) in
        try environment.write { transaction throws(LMDBError) in
          try transaction.put(
            [UInt8](repeating: 1, count: value), for: [UInt8](repeating: 1, count: key), in: table)
        }
      }
    }
    #expect(code(0, 1, words) == .badValueSize)
    #expect(code(512, 1, words) == .badValueSize)
    #expect(code(511, 0, words) == nil)
    #expect(code(1, 512, many) == .badValueSize)
    #expect(code(1, 0, many) == .badValueSize)
    #expect(code(1, 511, many) == nil)
  }

  @Test func stored_bytesOfAnotherType_areUndecodable() throws {
    let records = try Records()
    try records.fill(0..<1)
    let numbers: Table<UInt64, UInt64> = try records.environment.table("records")
    let transaction = try records.environment.beginReading()
    let code = failure { () throws(LMDBError) in try transaction.value(for: 0, in: numbers) }
    #expect(code == .undecodable)
  }
}
