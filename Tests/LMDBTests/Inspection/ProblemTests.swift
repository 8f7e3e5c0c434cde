import Foundation
import LMDB
import Testing

/// Each kind of damage, made where it belongs, is reported by its kind and on the right page.
struct ProblemTests {
  private let image: DamagedFile
  private let root: Int
  private let leaf: Int
  private let run: Int

  init() throws {
    let image = try DamagedFile(.logWithHoles, seed: 71)
    self.image = image
    let file = try PageFile(image.path)
    root = Int(try #require(file.meta.main.root))
    leaf = image.child(1, of: root)
    let runs = (2..<image.bytes.count / 4096).filter { image.isLive($0, flags: 4) }
    run = try #require(runs.first)
  }

  @Test func header() throws {
    try expect(.wrongNumber(0), on: leaf, after: native(0), at: 0)
    try expect(.wrongKind, on: leaf, after: [4, 0], at: 10)
    try expect(.wrongKind, on: leaf, after: [0x12, 0], at: 10)
    try expect(.bounds, on: leaf, after: [255, 255], at: 12)
    try expect(.bounds, on: leaf, after: [17, 0], at: 12)
    try expect(.bounds, on: leaf, after: [0, 255], at: 14)
    try expect(.tooFewNodes, on: leaf, after: [16, 0], at: 12)
    try expect(.tooFewNodes, on: root, after: [18, 0], at: 12)
  }

  @Test func nodes() throws {
    let node = image.offset(of: 1, in: leaf)
    try expect(.layout, on: leaf, after: [1], at: 16)
    try expect(.layout, on: leaf, after: image.at(leaf, 16, count: 2), at: 18)
    try expect(.layout, on: leaf, after: [image.at(leaf, node, count: 1)[0] &+ 2], at: node)
    try expect(.layout, on: leaf, after: [255, 255], at: node + 6)
    try expect(.keySize, on: leaf, after: [7, 0], at: node + 6)
    try expect(.nodeKind, on: leaf, after: [2, 0], at: node + 4)
    try expect(.nodeKind, on: leaf, after: [4, 0], at: node + 4)
    try expect(.nodeKind, on: leaf, after: [8, 0], at: node + 4)
  }

  @Test func keys() throws {
    let swapped = image.at(leaf, 18, count: 2) + image.at(leaf, 16, count: 2)
    try expect(.keyOrder, on: leaf, after: swapped, at: 16)
    let first = image.offset(of: 0, in: leaf)
    try expect(.keyOrder, on: leaf, after: native(0), at: first + 8)
    let last = image.offset(of: image.count(of: leaf) - 1, in: leaf)
    try expect(.keyOrder, on: leaf, after: native(9999), at: last + 8)
  }

  @Test func children() throws {
    let node = image.offset(of: 0, in: root)
    try expect(
      .shared, on: leaf, after: [UInt8](native(UInt64(leaf)).prefix(6)), at: node, of: root)
    try expect(.shared, on: root, after: [UInt8](native(UInt64(root)).prefix(6)), at: node)
    try expect(.outOfRange, on: 1, after: [1, 0, 0, 0, 0, 0], at: node, of: root)
    try expect(.outOfRange, on: 9999, after: [15, 39, 0, 0, 0, 0], at: node, of: root)
    try expect(
      .leaked, on: image.child(0, of: root), after: [1, 0, 0, 0, 0, 0], at: node, of: root)
  }

  @Test func runs() throws {
    try expect(.wrongNumber(1), on: run, after: native(1), at: 0)
    try expect(.wrongKind, on: run, after: [2, 0], at: 10)
    try expect(.overflowRun, on: run, after: [1, 0, 0, 0], at: 12)
    try expect(.overflowRun, on: run, after: [255, 255, 0, 0], at: 12)
    let next = run + image.short(run, 12)
    let what: PageProblem.What = image.isFree(next) ? .freeAndUsed : .shared
    try expect(what, on: next, after: native(UInt64(next - run + 1)).dropLast(4), at: 12, of: run)
  }

  @Test func metas() throws {
    let newest = Int(try PageFile(image.path).meta.number)
    try expect(.counts, on: root, after: native(1), at: 88 + 32, of: newest)
    try expect(.counts, on: root, after: native(7), at: 88 + 8, of: newest)
    try expect(.counts, on: root, after: [9, 0], at: 88 + 6, of: newest)
    try expect(.staleMeta, on: 1 - newest, after: [1], at: 144 + 3, of: 1 - newest)
    try expect(.staleMeta, on: 1 - newest, after: native(.max), at: 144, of: 1 - newest)
    try expect(.meta(.invalid), on: newest, after: [0], at: 16, of: newest)
    try expect(.meta(.versionMismatch), on: newest, after: [2], at: 20, of: newest)
    try expect(.meta(.corrupted), on: newest, after: [1], at: 40, of: newest)
    try expect(.meta(.corrupted), on: newest, after: native(1), at: 88 + 40, of: newest)
  }

  @Test func freeList() throws {
    let file = try PageFile(image.path)
    let page = Int(try #require(file.meta.free.root))
    #expect(file.meta.free.depth == 1)
    let lists = (0..<image.count(of: page)).map { image.offset(of: $0, in: page) + 16 }
    let list = try #require(lists.first { image.short(page, $0) > 1 })
    let one = image.at(page, list + 8, count: 8)
    let free = Int(one[0]) + Int(one[1]) * 256
    try expect(.freeAndUsed, on: leaf, after: native(UInt64(leaf)), at: list + 8, of: page)
    try expect(.leaked, on: free, after: native(UInt64(leaf)), at: list + 8, of: page)
    try expect(.freeTwice, on: free, after: one, at: list + 16, of: page)
    try expect(.notFree, on: 1, after: native(1), at: list + 8, of: page)
    try expect(.notFree, on: 9999, after: native(9999), at: list + 8, of: page)
    try expect(.freeList, on: page, after: native(9999), at: list)
  }

  /// A commit that meets a free list names the page when it lies beyond any file's end.
  @Test func freeList_ofPagesThatNoFileHas_isNamedByACommit() throws {
    let page = Int(try #require(try PageFile(image.path).meta.free.root))
    for node in 0..<image.count(of: page) {
      let list = image.offset(of: node, in: page) + 16
      let first = UInt64(1 << 51 + node << 20)
      let pages = (0..<image.short(page, list)).reversed().flatMap { native(first + UInt64($0)) }
      try image.write(pages, at: page * 4096 + list + 8)
    }
    let environment = try Environment(at: String(image.path.dropLast("/data.mdb".count)))
    let table: Table<UInt64, String> = try environment.table(nil, options: [])
    let error = #expect(throws: LMDBError.self) {
      try environment.write { try $0.put("again", for: 1 << 40, in: table) }
    }
    #expect(error?.code == .corrupted)
    #expect(
      error?.description == "commit to pages that the free list of data.mdb names: a page is "
        + "damaged. Check and salvage the file.")
    environment.close()
  }

  @Test func fixedKeys() throws {
    let image = try DamagedFile(.fixedDuplicates, seed: 72)
    let pages = (2..<image.bytes.count / 4096).filter { image.isLive($0, flags: 0x22) }
    let page = try #require(pages.first)
    let swapped = image.at(page, 24, count: 8) + image.at(page, 16, count: 8)
    try image.write(swapped, at: page * 4096 + 16)
    let expected = PageProblem(page: UInt64(page), what: .keyOrder)
    #expect(try FileReport.check(image.path).problems.contains(expected))
  }

  /// Writes `bytes` at an offset of a page, expects the problem, and restores the file.
  private func expect(
    _ what: PageProblem.What, on page: Int, after bytes: [UInt8], at offset: Int,
    of written: Int? = nil, _ location: SourceLocation = #_sourceLocation
  ) throws {
    try image.write(bytes, at: (written ?? page) * 4096 + offset)
    let problems = try FileReport.check(image.path).problems
    let expected = PageProblem(page: UInt64(page), what: what)
    #expect(problems.contains(expected), "\(expected) not in \(problems)", sourceLocation: location)
    try image.restore()
    #expect(try FileReport.check(image.path).isSound, sourceLocation: location)
  }
}

extension DamagedFile {
  func at(_ page: Int, _ offset: Int, count: Int) -> [UInt8] {
    Array(bytes[page * 4096 + offset..<page * 4096 + offset + count])
  }

  func short(_ page: Int, _ offset: Int) -> Int {
    Int(bytes[page * 4096 + offset]) + Int(bytes[page * 4096 + offset + 1]) * 256
  }

  /// Returns the number of nodes in a page.
  func count(of page: Int) -> Int { (short(page, 12) - 16) / 2 }

  /// Returns the offset of a node in its page.
  func offset(of node: Int, in page: Int) -> Int { short(page, 16 + 2 * node) }

  /// Returns the page that a node of a branch page leads to, if its number is a small one.
  func child(_ node: Int, of page: Int) -> Int { short(page, offset(of: node, in: page)) }

  /// Whether a page with these flags is in use, meaning that its header matters.
  func isLive(_ page: Int, flags: Int) -> Bool {
    guard short(page, 10) == flags, short(page, 0) == page else { return false }
    try? write([0], at: page * 4096 + 10)
    defer { try? restore() }
    return !walk().isSound
  }

  /// Whether the free list holds a page.
  func isFree(_ page: Int) -> Bool {
    guard let file = try? PageFile(path) else { return false }
    var walk = TreeWalk(file)
    var isFree = false
    walk.visitFreeList { entry in
      for offset in stride(from: 8, to: entry.value.byteCount, by: 8) {
        isFree = isFree || entry.value.integer(UInt64.self, at: offset) == UInt64(page)
      }
    }
    return isFree
  }
}
