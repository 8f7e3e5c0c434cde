import Foundation
import LMDB
import TestSupport
import Testing

/// Which bytes a wipe overwrites, and in how many turns.
@Suite struct PageWipeTests {
  private let folder: TemporaryFolder
  private let environment: Environment
  private let table: Table<UInt64, [UInt8]>
  private let pageSize: Int

  init() throws {
    folder = try TemporaryFolder()
    environment = try Environment(at: folder.path)
    table = try environment.table(nil)
    pageSize = try environment.information.pageSize
  }

  private func put(_ count: UInt64, _ value: [UInt8]) throws {
    try environment.write(.none) { transaction throws(LMDBError) in
      for key in 0..<count { try transaction.put(value, for: key, in: table, .append) }
    }
  }

  private func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: folder.path(of: Environment.dataFile))))
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws {
    try File(folder.path(of: Environment.dataFile), .update).write(bytes, at: offset)
  }

  /// Wipes everything, and returns the number of turns it took.
  @discardableResult
  private func wipe(until isOver: () -> Bool = { false }) throws -> Int {
    let durable = try environment.lastTransaction
    var (wipe, turns) = (PageWipe(), 1)
    // The pages in use, and the rest.
    for _ in 0..<2 { _ = try wipe.run(on: environment, durable: durable) { false } }
    while try !wipe.run(on: environment, durable: durable, until: isOver) { turns += 1 }
    return turns
  }

  /// Returns the first page of the first run of `count` pages in the file.
  private func firstRun(of count: UInt32, in bytes: [UInt8]) -> Int? {
    stride(from: 2 * pageSize, to: bytes.count, by: pageSize).first { start in
      let page = bytes.span.bytes.extracting(start..<start + pageSize)
      return page.integer(UInt16.self, at: 10) == 4 && page.integer(UInt32.self, at: 12) == count
    }.map { $0 / pageSize }
  }

  /// A turn whose time is up before it begins still washes many pages.
  @Test func shortTurns_washManyPagesEach() throws {
    let count: UInt64 = 4096
    // Each value has a page of its own, and every second page is free.
    try put(count, [UInt8](repeating: 7, count: pageSize - 100))
    try environment.write(.none) { transaction throws(LMDBError) in
      for key in stride(from: 0, to: count, by: 2) { try transaction.remove(key, from: table) }
    }
    let turns = try wipe(until: { true })
    #expect(turns <= Int(count) / 2 / 64 + 2)
    let bytes = try bytes()
    let full = stride(from: 0, to: bytes.count, by: pageSize).count { start in
      bytes[start + pageSize / 2] == 7
    }
    #expect(full == Int(count) / 2)
  }

  /// A page count larger than the value needs is not trusted.
  @Test func damagedRunLength_leavesTheNeighboursAsTheyAre() throws {
    let value = [UInt8](repeating: 7, count: 2 * pageSize + 100)
    try put(200, value)
    let page = try #require(firstRun(of: 3, in: bytes()))
    try write([1], at: page * pageSize + 13)
    try wipe()
    let values = try environment.read { transaction throws(LMDBError) in
      var values: [[UInt8]?] = []
      for key in 0..<200 as Range<UInt64> {
        values.append(try transaction.value(for: key, in: table))
      }
      return values
    }
    #expect(values == [[UInt8]?](repeating: value, count: 200))
  }

  /// A value whose page number is past the file's end, or past any file's possible end.
  @Test(arguments: [1 << 20, 1 << 60, 1 << 63] as [UInt64])
  func runElsewhere_isDamage(_ page: UInt64) throws {
    try put(1, [UInt8](repeating: 7, count: 2 * pageSize + 100))
    let bytes = try bytes()
    let run = try #require(firstRun(of: 3, in: bytes))
    let place = try #require(Data(bytes).range(of: Data(native(0) + native(UInt64(run)))))
    try write(native(page), at: place.lowerBound + 8)
    #expect(throws: LMDBError.self) { try wipe() }
  }
}
