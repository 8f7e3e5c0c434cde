/// An LMDB data file, read page by page without mapping it or calling liblmdb.
///
/// Reading throws at worst, whatever the bytes are. Nothing should write to the file in the
/// meantime: pages of the snapshot may then be replaced during reading, and reported as damaged.
package final class PageFile {
  package let path: String
  /// The size of the file, in bytes.
  package let size: Int
  /// The newest snapshot with a usable meta page.
  package let meta: MetaPage
  /// The problems of the meta pages, if one of them is usable all the same.
  package let problems: [PageProblem]
  private let file: File

  /// Opens a file.
  ///
  /// Throws `.missing` and other system errors, or, if neither meta page is usable, the problem of
  /// the first: `.invalid`, `.versionMismatch`, `.truncated` or `.corrupted`.
  package init(_ path: String) throws(LMDBError) {
    file = try File(path, .read)
    self.path = path
    // A file is whole before it has its name.
    guard try file.size() > 0 else { throw LMDBError(.truncated, "\(path), which is empty") }
    let first = try Self.meta(0, in: file, pageSizes: [0])
    let pageSizes = first.value.map { [$0.pageSize] } ?? PageFormat.pageSizes
    let second = try Self.meta(1, in: file, pageSizes: pageSizes)
    // The pages that a meta page counts were written before it, so read the size after it.
    size = try file.size()
    let (one, other) = (Self.validated(first, size, path), Self.validated(second, size, path))
    meta = try Self.newest(one, other)
    let isLeftover =
      Self.isLeftover(first, beside: other) || Self.isLeftover(second, beside: one)
    problems = isLeftover ? [] : Self.problems(one, other)
  }

  /// Opens the file as one without a tree, whatever its meta pages say.
  init(_ path: String, pageSize: Int) throws(LMDBError) {
    file = try File(path, .read)
    self.path = path
    size = try file.size()
    meta = MetaPage(pageSize: pageSize, lastPage: max(1, UInt64(size / pageSize)))
    problems = []
  }

  package var pageSize: Int { meta.pageSize }

  /// The number of whole pages in the file.
  package var pageCount: UInt64 { UInt64(size / pageSize) }

  /// Fills `buffer` from the start of a page below `pageCount`; returns `false` if the system can't
  /// read that much.
  func read(_ page: UInt64, into buffer: inout [UInt8]) -> Bool {
    do {
      return try file.read(at: Int(page) * pageSize, into: &buffer) == buffer.count
    } catch {
      return false
    }
  }

  /// Returns the number of pages for a value of this size, including its page header.
  func pagesNeeded(for size: Int) -> UInt64 {
    UInt64((PageFormat.headerSize - 1 + size) / pageSize + 1)
  }

  /// Returns the usable meta page or, of two, the newer; if both are equally new, the first, as
  /// liblmdb does.
  private static func newest(
    _ first: Result<MetaPage, LMDBError>, _ second: Result<MetaPage, LMDBError>
  ) throws(LMDBError) -> MetaPage {
    guard let other = second.value else { return try first.get() }
    guard let one = first.value else { return other }
    return one.transaction < other.transaction ? other : one
  }

  /// Whether a meta page is the older one, left over from a commit that failed to write it.
  ///
  /// Such a page has its old number but the trees of the failed commit. Nothing reads it before the
  /// next commit replaces it.
  private static func isLeftover(
    _ page: Result<MetaPage, LMDBError>, beside newer: Result<MetaPage, LMDBError>
  ) -> Bool {
    guard let page = page.value, let newer = newer.value else { return false }
    return page.transaction < newer.transaction && newer.follows(page)
      && page.pageSize == newer.pageSize && page.hasTreesBeyondItsEnd
  }

  /// Returns the problems of each meta page, or of both together.
  ///
  /// Every transaction writes the page that the previous one didn't, so their numbers are
  /// consecutive. If they aren't, an old snapshot may appear to be the newest.
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

  /// Reads a meta page at the first offset that holds one.
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
  /// Returns the meta page if it contradicts neither itself nor the file's size.
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
  /// Whether this can be the next snapshot after `other`, or both are the empty ones of a new file.
  fileprivate func follows(_ other: MetaPage) -> Bool {
    if transaction == 0 { return other.transaction == 0 }
    return transaction == other.transaction &+ 1 && transaction % 2 == number
  }
}

extension Result {
  /// The success value, if any.
  fileprivate var value: Success? { try? get() }
}
