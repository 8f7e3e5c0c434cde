/// A data file of LMDB, read page by page without mapping it or calling liblmdb.
///
/// Whatever the bytes are, reading them throws at worst. The file should not be written meanwhile:
/// pages of the snapshot may then be replaced under the reader, and be reported as damaged.
package final class PageFile {
  package let path: String
  /// In bytes.
  package let size: Int
  /// The newest snapshot whose meta page is usable.
  package let meta: MetaPage
  /// What is wrong with the meta pages, where one of them serves all the same.
  package let problems: [PageProblem]
  private let file: File

  /// Opens a file.
  ///
  /// Throws `.missing` and other errors of the system, or, where neither meta page is usable, what
  /// is wrong with the first: `.invalid`, `.versionMismatch`, `.truncated` or `.corrupted`.
  package init(_ path: String) throws(LMDBError) {
    file = try File(path, .read)
    self.path = path
    // A file is whole before it has its name.
    guard try file.size() > 0 else { throw LMDBError(.truncated, "\(path), which is empty") }
    let first = try Self.meta(0, in: file, pageSizes: [0])
    let pageSizes = first.value.map { [$0.pageSize] } ?? PageFormat.pageSizes
    let second = try Self.meta(1, in: file, pageSizes: pageSizes)
    // What a meta page counts was written before it, so the size is to be read after it.
    size = try file.size()
    let (one, other) = (Self.validated(first, size, path), Self.validated(second, size, path))
    meta = try Self.newest(one, other)
    let isLeftover =
      Self.isLeftover(first, beside: other) || Self.isLeftover(second, beside: one)
    problems = isLeftover ? [] : Self.problems(one, other)
  }

  /// A file without a tree, whatever its meta pages say.
  init(_ path: String, pageSize: Int) throws(LMDBError) {
    file = try File(path, .read)
    self.path = path
    size = try file.size()
    meta = MetaPage(pageSize: pageSize, lastPage: max(1, UInt64(size / pageSize)))
    problems = []
  }

  package var pageSize: Int { meta.pageSize }

  /// How many whole pages the file holds.
  package var pageCount: UInt64 { UInt64(size / pageSize) }

  /// Fills `buffer` from the beginning of a page below `pageCount` on; `false` where the system
  /// can't read that much.
  func read(_ page: UInt64, into buffer: inout [UInt8]) -> Bool {
    do {
      return try file.read(at: Int(page) * pageSize, into: &buffer) == buffer.count
    } catch {
      return false
    }
  }

  /// How many pages a value of this size takes, as a page header stands before it.
  func pagesNeeded(for size: Int) -> UInt64 {
    UInt64((PageFormat.headerSize - 1 + size) / pageSize + 1)
  }

  /// The usable one, the newer of two, and the first of two that are equally new, which is the
  /// one that liblmdb takes.
  private static func newest(
    _ first: Result<MetaPage, LMDBError>, _ second: Result<MetaPage, LMDBError>
  ) throws(LMDBError) -> MetaPage {
    guard let other = second.value else { return try first.get() }
    guard let one = first.value else { return other }
    return one.transaction < other.transaction ? other : one
  }

  /// Whether a meta page is the older one, as a commit left it that failed to write it.
  ///
  /// It has the number that it had, with trees that were to be. The next commit replaces it, and
  /// nobody reads it before.
  private static func isLeftover(
    _ page: Result<MetaPage, LMDBError>, beside newer: Result<MetaPage, LMDBError>
  ) -> Bool {
    guard let page = page.value, let newer = newer.value else { return false }
    return page.transaction < newer.transaction && newer.follows(page)
      && page.pageSize == newer.pageSize && page.hasTreesBeyondItsEnd
  }

  /// What is wrong with either meta page, or with both together.
  ///
  /// Every transaction writes the page that the one before it did not, so that their numbers
  /// follow each other. If they don't, an old snapshot may pass for the newest.
  private static func problems(
    _ first: Result<MetaPage, LMDBError>, _ second: Result<MetaPage, LMDBError>
  ) -> [PageProblem] {
    switch (first, second) {
    case (.failure(let error), _): [PageProblem(page: 0, what: .meta(error.code))]
    case (_, .failure(let error)): [PageProblem(page: 1, what: .meta(error.code))]
    case (.success(let one), .success(let other)):
      if one.pageSize != other.pageSize {
        [PageProblem(page: 1, what: .meta(.corrupted))]
      } else if one.follows(other) || other.follows(one) {
        []
      } else {
        [PageProblem(page: one.transaction < other.transaction ? 1 : 0, what: .staleMeta)]
      }
    }
  }

  /// Reads a meta page from the first of the offsets where there is one.
  private static func meta(
    _ number: UInt64, in file: borrowing File, pageSizes offsets: [Int]
  ) throws(LMDBError) -> Result<MetaPage, LMDBError> {
    var failure: LMDBError?
    for offset in offsets {
      let bytes = try file.bytes(at: offset, count: PageFormat.metaSize)
      do {
        let meta = try unsafe MetaPage(bytes.span.bytes, number: number, of: file.path)
        if number == 0 || meta.pageSize == offset { return .success(meta) }
      } catch {
        failure = failure ?? error
      }
    }
    return .failure(failure ?? LMDBError(.corrupted, "meta page \(number) of \(file.path)"))
  }
}

extension PageFile {
  /// The same meta page, if it does not contradict itself or the file's size.
  private static func validated(
    _ meta: Result<MetaPage, LMDBError>, _ size: Int, _ path: String
  ) -> Result<MetaPage, LMDBError> {
    Result { () throws(LMDBError) in
      let meta = try meta.get()
      try meta.validate(fileSize: size, of: path)
      return meta
    }
  }
}

extension MetaPage {
  /// Whether this can be the snapshot next after another, or both the empty ones of a new file.
  fileprivate func follows(_ other: MetaPage) -> Bool {
    if transaction == 0 { return other.transaction == 0 }
    return transaction == other.transaction &+ 1 && transaction % 2 == number
  }
}

extension Result {
  /// What succeeded, if it did.
  fileprivate var value: Success? { try? get() }
}
