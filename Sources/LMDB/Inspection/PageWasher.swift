/// Overwrites parts of a data file with zeros, as it stands while nobody else writes to it.
struct PageWasher: ~Copyable {
  /// The pages that are overwritten in one go.
  private static let runMax = 64

  private let pages: PageFile
  private let file: File

  init(_ path: String) throws(LMDBError) {
    let pages = try PageFile(path)
    let file = try File(path, .update)
    self.pages = pages
    self.file = file
  }

  /// Washes what the pages of the unnamed table don't use, from a key on; returns the key to go on
  /// from, or `nil` where there is none.
  func washTree(
    from key: UInt64, until isOver: () -> Bool
  ) throws(LMDBError) -> UInt64? {
    guard let root = pages.meta.main.root else { return nil }
    return try wash(root, from: key, until: isOver)
  }

  /// Washes what the pages of the free list don't use.
  func washFreeList() throws(LMDBError) {
    guard let root = pages.meta.free.root else { return }
    _ = try wash(root, from: 0) { false }
  }

  /// Washes what lies behind the last page.
  func washEnd() throws(LMDBError) {
    let end = Int(pages.meta.lastPage + 1) * pages.pageSize
    var offset = end
    while offset < pages.size {
      let count = min(pages.size - offset, Self.runMax * pages.pageSize)
      try overwrite(offset..<offset + count)
      offset += count
    }
  }

  /// Washes a page and those below it that have keys from one on.
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
      // The child's keys end where those of the next begin.
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

  /// Washes what the values that have pages of their own don't use of them.
  ///
  /// Pages that a value is said to have beyond those that it needs may be anyone's, so they stay.
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

  /// The free pages in ascending order, and the transactions that freed them.
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

  /// How many pages are washed before it is asked whether the turn is over: some, and more where
  /// the list is long, so that listing them all does not take most of the time.
  private static func least(of count: Int) -> Int { max(runMax, count / 64) }

  /// Washes those of some pages that are free still, where nobody reads a state of before the
  /// transaction that freed them; returns those that are left.
  func washFree(
    _ wanted: [UInt64], upTo last: UInt64, until isOver: () -> Bool
  ) throws(LMDBError) -> (pages: [UInt64], isWaiting: Bool) {
    let free = freePages()
    var (left, run, isWaiting): ([UInt64], Range<UInt64>, Bool) = ([], 0..<0, false)
    let least = Self.least(of: free.count)
    var (index, count) = (0, 0)
    for (place, page) in wanted.enumerated() {
      while index < free.count, free[index].page < page { index += 1 }
      // What was used again holds nothing old.
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

  /// Overwrites a part of the file, unless it is zero already.
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
