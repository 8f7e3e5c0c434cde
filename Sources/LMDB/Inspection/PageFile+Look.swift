#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension PageFile {
  /// How often a file that changes while it is looked at is looked at again.
  private static let looksMax = 16

  /// Calls `body`, which looks at the file, and returns what it finds.
  ///
  /// Another process may write to the file, and parts that were read of two states don't fit
  /// together. So what seems wrong, as `body` throws or by `isSound`, is believed only if the file
  /// stood still meanwhile; else `body` runs again.
  ///
  /// Throws what `body` throws, errors of the system, and `EBUSY` where the file never stands
  /// still.
  package static func look<R>(
    at path: String, isSound: (R) -> Bool = { _ in true },
    _ body: () throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    if let found = try? body(), isSound(found) { return found }
    for _ in 0..<looksMax {
      let head = try head(of: path)
      let result = Result(catching: body)
      if case .success(let found) = result, isSound(found) { return found }
      if try head == Self.head(of: path) { return try result.get() }
    }
    throw LMDBError(.system(EBUSY), "read \(path) while it is being written to")
  }

  /// The bytes that every commit changes: both meta pages, whatever the page size.
  private static func head(of path: String) throws(LMDBError) -> [UInt8] {
    let count = (PageFormat.pageSizes.last ?? 0) + PageFormat.metaSize
    return try File(path, .read).bytes(at: 0, count: count)
  }
}
