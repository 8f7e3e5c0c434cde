extension PageFile {
  /// Whether liblmdb can open and map the file: the checks to make before it does.
  ///
  /// Returns the file, or `nil` where it is empty, which means new. O(1), unless the file ends
  /// before the last page that its meta page counts: that is lawful while the missing pages are
  /// free, and every page in use is visited to find out.
  ///
  /// Throws `.missing` and other errors of the system; `.invalid` where it is no file of LMDB;
  /// `.versionMismatch`; `.truncated` where a page in use is missing; `.corrupted` where liblmdb
  /// would go by a damaged meta page, or where such a visit found a damaged page.
  package static func examine(_ path: String) throws(LMDBError) -> PageFile? {
    guard try File(path, .read).size() > 0 else { return nil }
    let file = try PageFile(path)
    try file.requireChosenMeta()
    if file.isShort { try file.requireWhole() }
    return file
  }

  /// Whether the file ends before the last page that its meta page counts.
  package var isShort: Bool { pageCount <= meta.lastPage }

  /// Throws where liblmdb, which looks at little more than the transaction's number, would refuse
  /// one of the meta pages, or choose one that is unusable.
  private func requireChosenMeta() throws(LMDBError) {
    for case .failure(let error) in metas { throw error }
  }

  private func requireWhole() throws(LMDBError) {
    var walk = TreeWalk(self)
    walk.visitAll()
    guard let problem = walk.problems.first else { return }
    let isCutOff = walk.problems.contains { $0.what == .beyondEnd }
    throw LMDBError(isCutOff ? .truncated : .corrupted, "\(path), \(problem)")
  }
}
