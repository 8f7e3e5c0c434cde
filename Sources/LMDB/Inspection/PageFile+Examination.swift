extension PageFile {
  /// Whether liblmdb can open and map the file: the checks to make before it does.
  ///
  /// Returns the file. O(1), unless it ends before the last page that its meta page counts: that is
  /// lawful while the missing pages are free, and every page in use is visited to find out.
  ///
  /// Throws `.missing` and other errors of the system; `.invalid` where it is no file of LMDB;
  /// `.versionMismatch`; `.truncated` where a page in use is missing, or all are: a file is whole
  /// before it has its name; `.corrupted` where a meta page is damaged, or where such a visit found
  /// another that is. Opened as a `PageFile` itself, a file with one good meta page can still be
  /// read.
  ///
  /// Another process may commit meanwhile; see ``look(at:isSound:_:)``.
  package static func examine(_ path: String) throws(LMDBError) -> PageFile {
    try look(at: path) { () throws(LMDBError) in try examineOnce(path) }
  }

  private static func examineOnce(_ path: String) throws(LMDBError) -> PageFile {
    let file = try PageFile(path)
    try file.requireMetas()
    if file.isShort { try file.requireWhole() }
    return file
  }

  /// Whether the file ends before the last page that its meta page counts.
  package var isShort: Bool { pageCount <= meta.lastPage }

  /// Throws where a meta page is damaged: liblmdb would refuse it, or take it for the newest, as
  /// it looks at little more than the transaction's number.
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
