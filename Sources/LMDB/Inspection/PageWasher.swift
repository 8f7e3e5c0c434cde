/// Overwrites parts of a data file with zeros, while nothing else writes to it.
struct PageWasher: ~Copyable {
  /// The maximum number of pages overwritten at once.
  private static let runMax = 64

  private let pages: PageFile
  private let file: File

  init(_ path: String) throws(LMDBError) {
    let pages = try PageFile(path)
    let file = try File(path, .update)
    self.pages = pages
    self.file = file
  }

  /// Wipes the unused parts of the unnamed table's pages, from a key on; returns the key to
  /// continue from, or `nil` at the end.
  func washTree(
    from key: UInt64, until isOver: () -> Bool
  ) throws(LMDBError) -> UInt64? {
    guard let root = pages.meta.main.root else { return nil }
    return try wash(root, from: key, until: isOver)
  }

  /// Wipes the unused parts of the free list's pages.
  func washFreeList() throws(LMDBError) {
    guard let root = pages.meta.free.root else { return }
    _ = try wash(root, from: 0) { false }
  }

  /// Wipes everything after the last page.
  func washEnd() throws(LMDBError) {
    let end = Int(pages.meta.lastPage + 1) * pages.pageSize
    var offset = end
    while offset < pages.size {
      let count = min(pages.size - offset, Self.runMax * pages.pageSize)
      try overwrite(offset..<offset + count)
      offset += count
    }
  }

  /// Wipes a page and those below it that have keys from `key` on.
  private func wash(
    _ number: UInt64, from key: UInt64, until isOver: () -> Bool
  ) throws(LMDBError) -> UInt64? {
    var buffer = [UInt8](repeating: 0, count: pages.pageSize)
    guard pages.read(number, into: &buffer) else { throw damage(number) }
    let page = unsafe PageView(buffer.span.bytes)
    guard page.number == number, page.hasPlausibleBounds else { throw damage(number) }
    let start = Int(number) * pages.pageSize
    try overwrite(start + page.lower..<start + page.upper, unlessZero: buffer, from: page.lower)
    if page.flags == .leaf {
      try washRuns(of: page)
      return nil
    }
    guard page.flags == .branch else { throw damage(number) }
    for index in 0..<page.count {
      guard let node = page.node(index) else { throw damage(number) }
      // The child's keys end where the next child's begin.
      let next = index + 1 < page.count ? page.node(index + 1) : nil
      let end = next.flatMap { UInt64(bytes: page.key(of: $0)) } ?? .max
      guard end > key else { continue }
      if index > 0, isOver(), let begin = UInt64(bytes: page.key(of: node)), begin > key {
        return begin
      }
      if let rest = try wash(node.child, from: key, until: isOver) { return rest }
    }
    return nil
  }

  /// Wipes the unused parts of overflow pages.
  ///
  /// Pages beyond those that a value needs may be used otherwise, so they stay, even if its header
  /// claims them.
  private func washRuns(of page: borrowing PageView) throws(LMDBError) {
    for index in 0..<page.count {
      guard let node = page.node(index), node.flags.contains(.overflow) else { continue }
      let first = page.data(of: node).integer(UInt64.self, at: 0)
      let needed = pages.pagesNeeded(for: node.valueSize)
      var header = [UInt8](repeating: 0, count: PageFormat.headerSize)
      guard first < pages.pageCount, needed <= pages.pageCount - first,
        pages.read(first, into: &header)
      else { throw damage(first) }
      let run = unsafe PageView(header.span.bytes)
      guard run.number == first, run.flags == .overflow, run.runLength >= needed else {
        throw damage(first)
      }
      let start = Int(first) * pages.pageSize
      let used = start + PageFormat.headerSize + node.valueSize
      try overwrite(used..<start + Int(needed) * pages.pageSize)
    }
  }

  /// Returns the free pages in ascending order, with the transactions that freed them.
  func freePages() -> [(page: UInt64, transaction: UInt64)] {
    var free: [(page: UInt64, transaction: UInt64)] = []
    var walk = TreeWalk(pages)
    walk.visitFreeList { entry in
      guard let transaction = UInt64(bytes: entry.key), entry.value.byteCount >= 8 else { return }
      let count = min(
        entry.value.integer(UInt64.self, at: 0), UInt64(entry.value.byteCount / 8 - 1))
      for index in 0..<Int(count) {
        free.append((entry.value.integer(UInt64.self, at: 8 * (index + 1)), transaction))
      }
    }
    return free.sorted { $0.page < $1.page }
  }

  /// Returns the minimum number of pages to wipe per turn: larger for a long list, so that listing
  /// the free pages doesn't take most of the time.
  private static func least(of count: Int) -> Int { max(runMax, count / 64) }

  /// Wipes the wanted pages that are still free, as far as they were freed by transaction `last` or
  /// before; returns the remaining ones.
  func washFree(
    _ wanted: [UInt64], upTo last: UInt64, until isOver: () -> Bool
  ) throws(LMDBError) -> (pages: [UInt64], isWaiting: Bool) {
    let free = freePages()
    var (left, run, isWaiting): ([UInt64], Range<UInt64>, Bool) = ([], 0..<0, false)
    let least = Self.least(of: free.count)
    var (index, count) = (0, 0)
    for (place, page) in wanted.enumerated() {
      while index < free.count, free[index].page < page { index += 1 }
      // A reused page holds nothing old.
      guard index < free.count, free[index].page == page else { continue }
      guard free[index].transaction <= last else {
        left.append(page)
        isWaiting = true
        continue
      }
      if page == run.upperBound, run.count < Self.runMax {
        run = run.lowerBound..<page + 1
        continue
      }
      try overwrite(pages: run)
      count += run.count
      if count >= least, isOver() { return (left + wanted[place...], false) }
      run = page..<page + 1
    }
    try overwrite(pages: run)
    return (left, isWaiting)
  }

  private func overwrite(pages run: Range<UInt64>) throws(LMDBError) {
    let size = pages.pageSize
    try overwrite(Int(run.lowerBound) * size..<Int(run.upperBound) * size)
  }

  /// Overwrites a part of the file, unless it is already zero.
  private func overwrite(_ range: Range<Int>) throws(LMDBError) {
    guard !range.isEmpty, range.lowerBound < pages.size else { return }
    let bytes = try file.bytes(
      at: range.lowerBound, count: min(range.upperBound, pages.size) - range.lowerBound)
    try overwrite(range, unlessZero: bytes, from: 0)
  }

  private func overwrite(
    _ range: Range<Int>, unlessZero bytes: [UInt8], from start: Int
  ) throws(LMDBError) {
    let count = min(range.count, bytes.count - start)
    guard bytes[start..<start + count].contains(where: { $0 != 0 }) else { return }
    try file.write([UInt8](repeating: 0, count: count), at: range.lowerBound)
  }

  private func damage(_ page: UInt64) -> LMDBError {
    LMDBError(.corrupted, "wipe page \(page) of \(pages.path)")
  }
}
