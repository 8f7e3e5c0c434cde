/// The pages that a data file's free list holds, and what is wrong with its records.
struct FreeList {
  /// Those that lie within the file.
  private(set) var pages: PageSet
  private(set) var problems = ProblemList()
  /// How many there are, those after the end of the file included.
  private(set) var count: UInt64 = 0
  private let lastPage: UInt64

  init(of file: PageFile) {
    lastPage = file.meta.lastPage
    pages = PageSet(limit: min(file.pageCount, lastPage + 1))
  }

  /// Adds a record, found on `page`: a count, that many pages in descending order, and room.
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

  /// Takes down the pages that are in use all the same, and those that are neither, and returns
  /// how many the latter are.
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
