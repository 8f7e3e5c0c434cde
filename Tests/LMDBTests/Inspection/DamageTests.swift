import CLMDB
import Foundation
import LMDB
import Testing

/// Any bytes are read without a trap, and every loss is reported.
///
/// `TIDELINE_PROVE=1` in the environment runs enough cases to establish it.
struct DamageTests {
  static let proves = ProcessInfo.processInfo.environment["TIDELINE_PROVE"] == "1"
  static let fixtures: [Fixture] =
    proves ? Fixture.allCases : [.logWithHoles, .named, .fixedDuplicates]

  /// A flipped bit is found, changes nothing, or changes one key or value in its page.
  @Test(arguments: fixtures)
  func flippedBitIsFoundOrChangesOneEntry(fixture: Fixture) throws {
    let image = try DamagedFile(fixture, seed: 11, scale: Self.proves ? 3 : 1)
    let sound = image.walk()
    #expect(sound.isSound)
    var random = SeededNumbers(seed: 12)
    for _ in 0..<(Self.proves ? 2000 : 60) {
      let offset = image.randomOffset(&random)
      let bit = UInt8(1) << UInt8(random.next() % 8)
      try image.write([image.bytes[offset] ^ bit], at: offset)
      let damaged = image.walk()
      let isHarmless = damaged.isSame(as: sound, butForOneEntryAt: offset / 4096)
      #expect(!damaged.isSound || isHarmless, "\(fixture), offset \(offset), bit \(bit)")
      try image.write([image.bytes[offset]], at: offset)
    }
  }

  /// A file cut off at any point is rejected, or lacks only free pages.
  @Test(arguments: fixtures)
  func cutOffFileIsRefusedOrWhole(fixture: Fixture) throws {
    let image = try DamagedFile(fixture, seed: 21)
    let sound = image.walk()
    var random = SeededNumbers(seed: 22)
    let sizes = (0..<(Self.proves ? 300 : 30)).map { _ in
      Int.random(in: 0..<image.bytes.count, using: &random)
    }
    for size in (sizes + [8192, 4096, 153, 152, 151, 20, 1]).sorted(by: >) {
      try image.truncate(to: size)
      do {
        _ = try PageFile.examine(image.path)
        #expect(image.walk().entries == sound.entries, "\(fixture), cut to \(size)")
      } catch {
        let isCutOff = error.code == .truncated || error.code == .invalid
        #expect(isCutOff, "\(fixture), cut to \(size): \(error)")
        #expect(!image.walk().isSound, "\(fixture), cut to \(size)")
      }
    }
    try image.truncate(to: 0)
    let error = #expect(throws: LMDBError.self) { try PageFile.examine(image.path) }
    #expect(error?.code == .truncated)
    #expect(throws: LMDBError.self) { try FileReport.check(image.path) }
  }

  /// A page of zeros is found before the file is mapped, unless nothing reads it.
  @Test(arguments: fixtures)
  func zeroedPageIsFound(fixture: Fixture) throws {
    let image = try DamagedFile(fixture, seed: 81)
    try PageFile.examinePages(of: image.path)
    let sound = image.walk()
    for page in 2..<(image.bytes.count / 4096) {
      try image.write([UInt8](repeating: 0, count: 4096), at: page * 4096)
      do {
        try PageFile.examinePages(of: image.path)
        #expect(image.walk().entries.count == sound.entries.count, "\(fixture), page \(page)")
      } catch {
        #expect(error.code == .corrupted && !image.walk().isSound, "\(fixture), page \(page)")
      }
      try image.write(image.page(page), at: page * 4096)
    }
  }

  /// Puts extreme and random numbers into headers, offsets and nodes, and swaps pages.
  @Test(arguments: fixtures)
  func garbageNeverTraps(fixture: Fixture) throws {
    let image = try DamagedFile(fixture, seed: 31)
    var random = SeededNumbers(seed: 32)
    for _ in 0..<(Self.proves ? 2000 : 40) {
      let pages = image.bytes.count / 4096
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let page = Int.random(in: 0..<pages, using: &random)
        let other = Int.random(in: 0..<pages, using: &random)
        switch random.next() % 4 {
        case 0: try image.write(random.bytes(4096), at: page * 4096)
        case 1: try image.write(image.page(other), at: page * 4096)
        case 2: try image.write([255, 255], at: page * 4096 + Int(random.next() % 32) * 2)
        default: try image.write(random.bytes(2), at: page * 4096 + Int(random.next() % 2047) * 2)
        }
      }
      _ = image.walk()
      image.scan()
      if random.next() % 4 == 0 { try image.restore() }
    }
  }

  /// Pages allocated and freed by one transaction are never written, so the file may end before the
  /// last page it counts; it is still whole unless a page in use is missing.
  @Test func missingFreePagesAreLawful() throws {
    let folder = try Fixture.log.make(seed: 41)
    try folder.transaction { transaction in
      let table = try transaction.table(nil, MDB_INTEGERKEY)
      let added = UInt64(1000)..<1300
      let value = [UInt8](repeating: 1, count: 999)
      for key in added { try transaction.put(native(key), value, in: table) }
      for key in added.reversed() { try transaction.remove(native(key), in: table) }
    }
    let file = try PageFile.examine(folder.path)
    #expect(file.isShort)
    let report = try FileReport.check(folder.path)
    #expect(report.isSound, "\(report.problems)")
    var walk = TreeWalk(file)
    #expect(Fixture.log.walkedEntries(&walk) == (try Fixture.log.entries(in: folder)))
    let handle = try FileHandle(forUpdating: URL(filePath: folder.path))
    try handle.truncate(atOffset: UInt64(file.size / 2))
    let error = #expect(throws: LMDBError.self) { _ = try PageFile.examine(folder.path) }
    #expect(error?.code == .truncated)
  }

  /// One bad meta page costs at most the newest transaction, and is reported.
  @Test(arguments: [0, 1])
  func otherMetaPageServes(number: Int) throws {
    let image = try DamagedFile(.log, seed: 51)
    try image.write([UInt8](repeating: 0, count: 4096), at: number * 4096)
    let file = try PageFile(image.path)
    #expect(file.meta.number == UInt64(1 - number))
    #expect(file.problems == [PageProblem(page: UInt64(number), what: .meta(.invalid))])
    #expect(throws: LMDBError.self) { _ = try PageFile.examine(image.path) }
  }

  /// A commit that failed to write its meta page leaves its trees there, with the older page's
  /// number and last page.
  @Test func leftoverOfAFailedCommit_isNoDamage() throws {
    let image = try DamagedFile(.log, seed: 71)
    let older = Int(1 - (try PageFile(image.path).meta.number))
    try image.write(native(try PageFile(image.path).meta.lastPage + 1), at: older * 4096 + 128)
    try image.write([1, 0], at: older * 4096 + 94)
    let file = try PageFile(image.path)
    #expect(file.meta.number == UInt64(1 - older) && file.problems == [])
    _ = try PageFile.examine(image.path)
    #expect(try FileReport.check(image.path).isSound)
  }

  @Test func otherFilesAreNamedForWhatTheyAre() throws {
    let image = try DamagedFile(.log, seed: 61)
    try image.write([2], at: 20)
    try image.write([2], at: 4096 + 20)
    #expect(codeOfOpening(image.path) == .versionMismatch)
    try image.write(Array("SQLite format 3, or any other".utf8), at: 0)
    try image.write(Array(repeating: 0, count: 4096), at: 4096)
    #expect(codeOfOpening(image.path) == .invalid)
    #expect(codeOfOpening(image.path + "x") == .missing)
  }

  private func codeOfOpening(_ path: String) -> LMDBError.Code? {
    do {
      _ = try PageFile(path)
      return nil
    } catch {
      return error.code
    }
  }
}
