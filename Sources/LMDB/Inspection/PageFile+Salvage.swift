extension PageFile {
  /// Opens a file to salvage its pages; as a file without a tree if no meta page is usable.
  ///
  /// Throws `.missing` and other system errors, and `.invalid` if nothing in the file resembles a
  /// page.
  package static func forSalvage(_ path: String) throws(LMDBError) -> PageFile {
    if let file = try? PageFile(path) { return file }
    let file = try File(path, .read)
    guard let pageSize = try pageSize(of: file) else { throw LMDBError(.invalid, path) }
    return try PageFile(path, pageSize: pageSize)
  }

  /// Returns the page size that a meta page states, even if it is otherwise unusable, or else the
  /// size for which most pages contain their own number.
  private static func pageSize(of file: borrowing File) throws(LMDBError) -> Int? {
    for offset in [0] + PageFormat.pageSizes {
      let bytes = try file.bytes(at: offset, count: PageFormat.metaSize)
      let number: UInt64 = offset == 0 ? 0 : 1
      if let meta = try? MetaPage(bytes.raw, number: number, of: file.path) { return meta.pageSize }
    }
    var best: (size: Int, pages: Int)?
    for size in PageFormat.pageSizes {
      let pages = try numberedPages(of: file, size)
      if pages > best?.pages ?? 0 { best = (size, pages) }
    }
    return best?.size
  }

  /// Returns how many of the first pages contain their own number, given this page size.
  private static func numberedPages(of file: borrowing File, _ size: Int) throws(LMDBError) -> Int {
    var pages = 0
    for number in 2..<max(2, min(try file.size() / size, 1 << 12)) {
      let bytes = try file.bytes(at: number * size, count: 8)
      guard bytes.count == 8 else { break }
      if bytes.raw.integer(UInt64.self, at: 0) == UInt64(number) { pages += 1 }
    }
    return pages
  }
}
