package import LMDB
import Synchronization

/// A generation of the views that this process uses, which no process removes until it is released.
///
/// A lock shared by all users marks it as in use, and ends with the process.
package final class Generation: Sendable {
  /// The name of the locked file.
  static let useFile = "use"

  /// The generation's number, which no other generation of the same views ever has.
  package let number: UInt64
  /// The generation's folder.
  package let folder: Folder
  private let use: Mutex<File?>
  /// The data file's identity and size at the last check.
  private let known = Mutex<(identity: File.Identity, size: Int)?>(nil)

  init(_ number: UInt64, in folder: Folder, use: consuming File) {
    self.number = number
    self.folder = folder
    self.use = Mutex(consume use)
  }

  /// The options for opening the environment: enough tables for views, and no flushes by LMDB.
  ///
  /// Commits must use `.none`.
  package static var options: Environment.Options {
    var options = Environment.Options()
    options.isDisposable = true
    return options
  }

  deinit { release() }

  /// Allows others to remove the generation; its environment must be closed.
  package func release() {
    use.withLock { use in
      // As with the lease, a child process that is just being started must not keep the lock.
      use?.unlock()
      use = nil
    }
  }

  /// Returns why the generation is no longer reliable, because its file was removed, replaced or
  /// truncated; `nil` if it is reliable.
  ///
  /// LMDB does not check this, and touching a truncated page ends the process. Call this before
  /// each commit, and before the first read after a while. It costs one system call. A truncation
  /// at that very moment goes unnoticed.
  package func check() throws(LMDBError) -> Distrust? {
    guard let status = try folder.status(of: Environment.dataFile) else { return .missingFile }
    return known.withLock { known in
      guard let last = known else {
        known = status
        return nil
      }
      guard status.identity == last.identity else { return .otherFile }
      guard status.size >= last.size else { return .cutOff }
      known = status
      return nil
    }
  }
}
