package import LMDB
import Synchronization

/// A generation of the views that this process uses: nobody removes it until it is released.
///
/// A lock shared by all users tells that it is in use, and ends with the process.
package final class Generation: Sendable {
  /// The name of the file that is locked.
  static let useFile = "use"

  /// Its number, which no other generation of the same views ever has.
  package let number: UInt64
  /// Its folder.
  package let folder: Folder
  private let use: Mutex<File?>
  /// The data file as it was when last looked at.
  private let known = Mutex<(identity: File.Identity, size: Int)?>(nil)

  init(_ number: UInt64, in folder: Folder, use: consuming File) {
    self.number = number
    self.folder = folder
    self.use = Mutex(consume use)
  }

  /// How its environment is opened: tables as many as views need, and nothing flushed by LMDB.
  ///
  /// Commits are to be made with `.none`.
  package static var options: Environment.Options {
    var options = Environment.Options()
    options.isDisposable = true
    return options
  }

  deinit { release() }

  /// Lets others remove it; its environment must be closed.
  package func release() {
    use.withLock { use in
      // As with the lease, a child that is just being started must not keep it.
      use?.unlock()
      use = nil
    }
  }

  /// Why it can't be relied on any longer: its file was removed, replaced, or cut off; `nil` where
  /// it can.
  ///
  /// LMDB doesn't look, and touching a page that was cut off ends the process: to be asked before
  /// each commit, and before the first read after a while. It costs one call of the system. What is
  /// cut off in the very moment is not noticed.
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
