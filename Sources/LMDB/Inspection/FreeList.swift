/// The pages in a data file's free list, and the problems of its records.
struct FreeList {
  /// The free pages within the file.
  private(set) var pages: PageSet
  private(set) var problems = ProblemList()
  /// The number of free pages, including those beyond the end of the file.
  private(set) var count: UInt64 = 0
  private let lastPage: UInt64

  init(of file: PageFile) {
    lastPage = file.meta.lastPage
    pages = PageSet(limit: min(file.pageCount, lastPage + 1))
  }

  /// Adds a record found on `page`: a count, that many pages in descending order, and spare room.
  mutating func add(_ record: RawSpan, from page: UInt64) {
    guard record.byteCount >= 8 else { return problems.append(page, .freeList) }
    let stated = record.integer(UInt64.self, at: 0)
    let room = UInt64(record.byteCount / 8 - 1)
    if stated > room || record.byteCount % 8 != 0 { problems.append(page, .freeList) }
    var previous = UInt64.max
    var isDescending = true
    for index in 0..<Int(min(stated, room)) {
      let free = record.integer(UInt64.self, at: 8 * (index + 1))
      isDescending = isDescending && free < previous
      previous = free
      add(free)
    }
    if !isDescending { problems.append(page, .freeList) }
  }

  private mutating func add(_ page: UInt64) {
    guard page >= PageFormat.firstPage, page <= lastPage else {
      return problems.append(page, .notFree)
    }
    count += 1
    if page < pages.limit, !pages.insert(page) { problems.append(page, .freeTwice) }
  }

  /// Records the pages that are both free and in use, and those that are neither; returns the
  /// number of the latter.
  mutating func compare(withUsed used: PageSet) -> UInt64 {
    var leaked: UInt64 = 0
    for page in PageFormat.firstPage..<max(PageFormat.firstPage, pages.limit) {
      switch (pages.contains(page), used.contains(page)) {
      case (true, true):
        problems.append(page, .freeAndUsed)
      case (false, false):
        leaked += 1
        problems.append(page, .leaked)
      default: continue
      }
    }
    return leaked
  }
}
