#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension PageFile {
  /// The maximum number of attempts on a file that keeps changing.
  private static let looksMax = 16

  /// Calls `body`, which reads the file, and returns its result.
  ///
  /// Another process may write to the file, and parts read from two different states don't fit
  /// together. So a failure, thrown by `body` or found by `isSound`, counts only if the file didn't
  /// change in the meantime; otherwise `body` runs again.
  ///
  /// Throws what `body` throws, system errors, and `EBUSY` if the file never stops changing.
  package static func look<R>(
    at path: String, isSound: (R) -> Bool = { _ in true },
    _ body: () throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    guard let found = try look(at: path, atMost: looksMax, isSound: isSound, body) else {
      throw LMDBError(.system(EBUSY), "read \(path) while it is being written to")
    }
    return found
  }

  /// Calls `body` up to `count` times more than once, like its namesake; returns `nil` if the file
  /// never stopped changing.
  static func look<R>(
    at path: String, atMost count: Int, isSound: (R) -> Bool = { _ in true },
    _ body: () throws(LMDBError) -> R
  ) throws(LMDBError) -> R? {
    if let found = try? body(), isSound(found) { return found }
    for _ in 0..<count {
      let head = try head(of: path)
      let result = Result(catching: body)
      if case .success(let found) = result, isSound(found) { return found }
      if try head == Self.head(of: path) { return try result.get() }
    }
    return nil
  }

  /// Returns the bytes that every commit changes: both meta pages, whatever the page size.
  private static func head(of path: String) throws(LMDBError) -> [UInt8] {
    let count = (PageFormat.pageSizes.last ?? 0) + PageFormat.metaSize
    return try File(path, .read).bytes(at: 0, count: count)
  }
}
