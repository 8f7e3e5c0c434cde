import CLMDB
import Foundation
import LMDB
import Testing

/// The walk sees what a liblmdb cursor sees, and reports nothing for a sound file.
struct TreeWalkTests {
  @Test(arguments: Fixture.allCases, [1, 2, 3] as [UInt64])
  func seesWhatLibLMDBSees(fixture: Fixture, seed: UInt64) throws {
    let folder = try fixture.make(seed: seed)
    let expected = try fixture.entries(in: folder)
    let file = try PageFile.examine(folder.path)
    var walk = TreeWalk(file)
    #expect(fixture.walkedEntries(&walk) == expected, "\(fixture), seed \(seed)")
    #expect(walk.problems == [], "\(fixture), seed \(seed)")
    let report = try FileReport.check(folder.path)
    #expect(report.isSound, "\(fixture), seed \(seed): \(report.problems)")
    #expect(report.pages.leaked == 0, "\(fixture), seed \(seed)")
  }

  @Test(arguments: Fixture.allCases)
  func seesTheSameInACompactedCopy(fixture: Fixture) throws {
    let folder = try fixture.make(seed: 4)
    let copy = folder.url.appending(path: "copy")
    try folder.compact(to: copy)
    let path = copy.appending(path: "data.mdb").path
    var walk = TreeWalk(try PageFile(path))
    #expect(fixture.walkedEntries(&walk) == (try fixture.entries(in: folder)))
    let report = try FileReport.check(path)
    #expect(report.isSound, "\(report.problems)")
    #expect(report.pages.free == 0)
  }

  @Test(arguments: [512, 1024, 16384, 32768], [Fixture.logWithHoles, .churned, .fixedDuplicates])
  func seesTheSameInPagesOfAnySize(pageSize: Int, fixture: Fixture) throws {
    let folder = try fixture.make(seed: 5, pageSize: pageSize)
    let file = try PageFile.examine(folder.path)
    #expect(file.pageSize == pageSize)
    var walk = TreeWalk(file)
    #expect(fixture.walkedEntries(&walk) == (try fixture.entries(in: folder)))
    let report = try FileReport.check(folder.path)
    #expect(report.isSound, "\(report.problems)")
  }

  @Test func aThrownErrorEndsTheWalk() throws {
    let folder = try Fixture.log.make(seed: 6)
    let file = try PageFile(folder.path)
    var walk = TreeWalk(file)
    var count = 0
    #expect(throws: Failed.self) {
      try walk.visit(file.meta.main) { _ throws(Failed) in
        count += 1
        if count == 7 { throw Failed(code: 7) }
      }
    }
    #expect(count == 7)
  }
}

extension Fixture {
  /// Returns every table's entries by the table's name, as liblmdb sees them.
  func entries(in folder: DataFolder) throws -> [String: [Entry]] {
    try folder.transaction { transaction in
      var all: [String: [Entry]] = [:]
      for (name, flags) in tables {
        all[name ?? ""] = try transaction.entries(of: transaction.table(name, flags))
      }
      return all
    }
  }

  /// Returns every table's entries by the table's name, as the walk sees them.
  func walkedEntries(_ walk: inout TreeWalk) -> [String: [Entry]] {
    var all: [String: [Entry]] = [:]
    guard tables.contains(where: { $0.name != nil }) else {
      all[""] = walk.entries(of: walk.file.meta.main)
      return all
    }
    for table in walk.tables() {
      all[String(decoding: table.name, as: UTF8.self)] = walk.entries(of: table.tree)
    }
    return all
  }
}

extension TreeWalk {
  mutating func entries(of tree: TreeDescriptor) -> [Entry] {
    var entries: [Entry] = []
    visit(tree) { entries.append(Entry(key: $0.key.array, value: $0.value.array)) }
    return entries
  }
}
