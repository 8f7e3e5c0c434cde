import Foundation
import LMDB
import Testing

/// A scan finds everything a file holds, whether or not its trees still reach it.
struct PageScanTests {
  @Test func findsEveryEntryOfALog() throws {
    let folder = try Fixture.log.make(seed: 81)
    let expected = try #require(try Fixture.log.entries(in: folder)[""])
    #expect(try found(in: folder.path).isSuperset(of: expected))
  }

  @Test func findsEveryEntryWithoutTheRoot() throws {
    let image = try DamagedFile(.log, seed: 82)
    let (file, expected) = try contents(of: image)
    let root = Int(try #require(file.meta.main.root))
    try image.write([UInt8](repeating: 0, count: 4096), at: root * 4096)
    #expect(try found(in: image.path).isSuperset(of: expected))
  }

  @Test(arguments: [0, 10])
  func findsTheEntriesOfAPageWithADamagedHeader(offset: Int) throws {
    let image = try DamagedFile(.log, seed: 83)
    let (file, expected) = try contents(of: image)
    let leaf = image.child(1, of: Int(try #require(file.meta.main.root)))
    try image.write([0xC0, 0xC0], at: leaf * 4096 + offset)
    #expect(try found(in: image.path).isSuperset(of: expected))
  }

  @Test func findsTheOtherEntriesOfAPageWithADamagedNode() throws {
    let image = try DamagedFile(.log, seed: 84)
    let (file, expected) = try contents(of: image)
    let leaf = image.child(1, of: Int(try #require(file.meta.main.root)))
    try image.write([255, 255], at: leaf * 4096 + 16)
    #expect(try expected.subtracting(found(in: image.path)).count == 1)
  }

  private func contents(of image: DamagedFile) throws -> (file: PageFile, entries: Set<Entry>) {
    let file = try PageFile(image.path)
    var walk = TreeWalk(file)
    return (file, Set(walk.entries(of: file.meta.main)))
  }

  private func found(in path: String) throws -> Set<Entry> {
    var found: Set<Entry> = []
    var scan = PageScan(try PageFile(path))
    scan.visit { found.insert(Entry(key: $0.key.array, value: $0.value.array)) }
    return found
  }
}
