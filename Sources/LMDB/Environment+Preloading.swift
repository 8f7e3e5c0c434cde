extension Environment {
  /// The bytes that preloading reads at once.
  private static let chunkBytes = 1 << 20

  /// Reads the data file once from its beginning, so that the scan of a long table that follows
  /// finds it in the system's cache.
  ///
  /// Page by page, as a scan touches them, a cold file costs many times as much, unless the
  /// environment ``Options/readsAhead``; that makes looking up a few entries as much dearer. It
  /// reads `bytesMax` at most: not more than the system's cache will hold. Goes on for as long as
  /// `goesOn` says so, which is asked for each megabyte.
  ///
  /// - Returns: How many bytes it read.
  /// - Throws: What reading fails with.
  @discardableResult
  package func preload(
    bytesMax: Int = 1 << 30, while goesOn: () -> Bool = { true }
  ) throws(LMDBError) -> Int {
    let file = try File(Folder(path).path(of: Self.dataFile), .read)
    var buffer = [UInt8](repeating: 0, count: Self.chunkBytes)
    var done = 0
    while done < bytesMax, goesOn() {
      let count = try file.read(at: done, into: &buffer)
      done += count
      if count < buffer.count { break }
    }
    return done
  }
}
