extension PageFile {
  /// Opens a file for the sake of its pages: where no meta page is usable, as one without a tree.
  ///
  /// Throws `.missing` and other errors of the system, and `.invalid` where nothing in the file
  /// looks like a page.
  package static func forSalvage(_ path: String) throws(LMDBError) -> PageFile {
    if let file = try? PageFile(path) { return file }
    let file = try File(path, .read)
    guard let pageSize = try pageSize(of: file) else { throw LMDBError(.invalid, path) }
    return try PageFile(path, pageSize: pageSize)
  }

  /// The page size, by what a meta page says even if it can't be used for more, or else the one by
  /// which most pages have the number of their place.
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

  /// How many of the first pages have the number of their place, if pages have this size.
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
