extension PageFile {
  /// Checks whether liblmdb can open and map the file; to be called before it does.
  ///
  /// Returns the file. O(1), unless the file ends before the last page that its meta page counts.
  /// That is legal while the missing pages are free, so every page in use is visited to find out.
  ///
  /// Throws `.missing` and other system errors; `.invalid` if it isn't an LMDB file;
  /// `.versionMismatch`; `.truncated` if some page in use is missing or the file is empty, as a
  /// file is whole before it has its name; `.corrupted` if a meta page is damaged, or such a visit
  /// found another damaged page. A file with one good meta page can still be read through
  /// `PageFile.init`.
  ///
  /// Another process may commit in the meantime; see ``look(at:isSound:_:)``.
  package static func examine(_ path: String) throws(LMDBError) -> PageFile {
    try look(at: path) { () throws(LMDBError) in try examineOnce(path) }
  }

  /// Checks whether liblmdb can read every page in use, too; to be called after ``examine(_:)`` and
  /// before it maps the file.
  ///
  /// If another process keeps writing to the file, which it does through liblmdb, nothing is known
  /// of the pages, and nothing is thrown.
  ///
  /// Throws as ``examine(_:)``; `.corrupted` if a page is damaged. O(pages).
  package static func examinePages(of path: String) throws(LMDBError) {
    _ = try look(at: path, atMost: visitsMax) { () throws(LMDBError) in
      try PageFile(path).requireWhole()
    }
  }

  /// How often all pages of a file that keeps changing are visited again.
  private static let visitsMax = 2

  private static func examineOnce(_ path: String) throws(LMDBError) -> PageFile {
    let file = try PageFile(path)
    try file.requireMetas()
    if file.isShort { try file.requireWhole() }
    return file
  }

  /// Whether the file ends before the last page that its meta page counts.
  package var isShort: Bool { pageCount <= meta.lastPage }

  /// Throws if a meta page is damaged: liblmdb would refuse it, or take it for the newest, as it
  /// checks little more than the transaction's number.
  private func requireMetas() throws(LMDBError) {
    guard let problem = problems.first else { return }
    var code = LMDBError.Code.corrupted
    if case .meta(let reason) = problem.what { code = reason }
    throw LMDBError(code, "\(path), \(problem)")
  }

  private func requireWhole() throws(LMDBError) {
    var walk = TreeWalk(self)
    walk.visitAll()
    guard let problem = walk.problems.first else { return }
    let isCutOff = walk.problems.contains { $0.what == .beyondEnd }
    throw LMDBError(isCutOff ? .truncated : .corrupted, "\(path), \(problem)")
  }
}
