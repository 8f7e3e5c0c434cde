extension FileReport {
  /// Checks every page in use of the data file at `path`, without liblmdb and without mapping it.
  ///
  /// Nothing should write to the file in the meantime, as pages replaced during the check may be
  /// reported. Damage within values and keys can't be detected from their bytes, and isn't looked
  /// for. O(pages); memory for a page per level, the longest value, and two bits per page.
  ///
  /// Throws `.missing` and other system errors and, if neither meta page is usable, `.invalid`,
  /// `.versionMismatch`, `.truncated` or `.corrupted`. All else is in the report.
  public static func check(_ path: String) throws(LMDBError) -> FileReport {
    check(try PageFile(path)) { _ in }
  }

  /// Checks an open file, and lends `body` the unnamed table's entries in key order, except named
  /// tables.
  package static func check(
    _ file: PageFile, _ body: (borrowing TreeEntry) -> Void
  ) -> FileReport {
    var report = FileReport(size: file.size)
    report.check(file, body)
    return report
  }

  private mutating func check(_ file: PageFile, _ body: (borrowing TreeEntry) -> Void) {
    var walk = TreeWalk(file)
    var free = FreeList(of: file)
    pageSize = file.pageSize
    transaction = file.meta.transaction
    walk.visitFreeList { free.add($0.value, from: $0.page) }
    visitTables(&walk, body)
    walk.claimSurplus()
    pages.branch = walk.total.branchPages
    pages.leaf = walk.total.leafPages
    pages.overflow = walk.total.overflowPages
    pages.free = free.count
    pages.leaked = free.compare(withUsed: walk.visited)
    problems = Array((file.problems + walk.problems + free.problems.first).prefix(Self.limit))
    problemCount = file.problems.count + walk.problemCount + free.problems.count
  }

  private static let limit = ProblemList.limit

  private mutating func visitTables(
    _ walk: inout TreeWalk, _ body: (borrowing TreeEntry) -> Void
  ) {
    var unnamed: UInt64 = 0
    var named: [NamedTree] = []
    walk.visit(walk.file.meta.main) { entry in
      if let table = entry.table { return named.append(table) }
      unnamed += 1
      body(entry)
    }
    tables = [Table(name: nil, entries: unnamed)]
    for table in named {
      var entries: UInt64 = 0
      walk.visit(table.tree) { _ in entries += 1 }
      tables.append(Table(name: table.name, entries: entries))
    }
  }
}
