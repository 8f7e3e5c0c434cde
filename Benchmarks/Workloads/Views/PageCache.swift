import Foundation
import LMDB

#if canImport(Glibc)
  import Glibc
#endif

/// The system's cache of file contents in memory.
enum PageCache {
  /// Whether a process finds its files in memory.
  enum State: String {
    case warm, evicted

    /// The states that are possible here: only Linux evicts pages on request.
    static let reachable: [State] = {
      #if canImport(Glibc)
        [.warm, .evicted]
      #else
        [.warm]
      #endif
    }()
  }

  /// Brings all files in a folder, recursively, into memory or out of it.
  static func bring(_ folder: String, to state: State) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let path = "\(folder)/\(name)"
      let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
      guard type as? FileAttributeType == .typeRegular else { continue }
      switch state {
      case .warm: _ = try Data(contentsOf: URL(fileURLWithPath: path))
      case .evicted: try evict(path)
      }
    }
  }

  /// Evicts a file; only clean pages leave, so it is flushed first.
  private static func evict(_ path: String) throws {
    #if canImport(Glibc)
      let file = unsafe open(path, O_RDONLY)
      guard file >= 0 else { throw LMDBError.lastSystemError("open \(path)") }
      defer { close(file) }
      guard fsync(file) == 0, posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
        throw LMDBError.lastSystemError("evict \(path)")
      }
    #endif
  }
}
