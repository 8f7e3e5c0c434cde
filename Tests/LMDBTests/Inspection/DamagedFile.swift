import Foundation
import LMDB

/// A data file to damage and restore, with its sound bytes in memory.
final class DamagedFile {
  /// The result of a walk.
  struct Outcome {
    /// A checksum of each entry of all tables; `pages` holds the page of its key.
    var entries: [UInt64] = []
    var pages: [UInt64] = []
    var isSound = false

    /// Whether at most one entry differs, and that entry is in the page or has its value there.
    func isSame(as other: Outcome, butForOneEntryAt page: Int) -> Bool {
      guard entries.count == other.entries.count else { return false }
      let differing = entries.indices.filter { entries[$0] != other.entries[$0] }
      guard let index = differing.first else { return true }
      let isThere = other.pages[index] == UInt64(page) || !other.pages.contains(UInt64(page))
      return differing.count == 1 && isThere
    }
  }

  let bytes: [UInt8]
  let path: String
  private let folder: DataFolder
  private let handle: FileHandle

  init(_ fixture: Fixture, seed: UInt64, scale: Int = 1) throws {
    folder = try fixture.make(seed: seed, scale: scale)
    folder.close()
    path = folder.path
    bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    handle = try FileHandle(forUpdating: URL(filePath: path))
  }

  func page(_ number: Int) -> [UInt8] { Array(bytes[number * 4096..<(number + 1) * 4096]) }

  /// Returns a random offset, half of the time within a page's first 64 bytes, its header.
  func randomOffset(_ random: inout SeededNumbers) -> Int {
    let page = Int.random(in: 0..<bytes.count / 4096, using: &random)
    let size = random.next() % 2 == 0 ? 4096 : 64
    return page * 4096 + Int.random(in: 0..<size, using: &random)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws {
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: bytes)
  }

  func truncate(to size: Int) throws { try handle.truncate(atOffset: UInt64(size)) }

  func restore() throws { try write(bytes, at: 0) }

  func scan() {
    guard let file = try? PageFile(path) else { return }
    var scan = PageScan(file)
    scan.visit { _ = Checksum.of($0.value) }
  }

  func walk() -> Outcome {
    var outcome = Outcome()
    guard let report = try? FileReport.check(path), report.size > 0, let file = try? PageFile(path)
    else { return outcome }
    outcome.isSound = report.isSound
    var walk = TreeWalk(file)
    let take = { (entry: borrowing TreeEntry) in
      outcome.entries.append(UInt64(Checksum.of(entry.value, continuing: Checksum.of(entry.key))))
      outcome.pages.append(entry.page)
    }
    var named: [NamedTree] = []
    walk.visit(file.meta.main) { entry in
      if let table = entry.table { named.append(table) } else { take(entry) }
    }
    for table in named { walk.visit(table.tree, take) }
    return outcome
  }
}
