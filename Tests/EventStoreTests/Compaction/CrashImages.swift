import EventStore
import Foundation
import LMDB
import Synchronization
import TestSupport

/// Copies of a log's file, taken at each reading of the clock.
///
/// A slice reads the clock when it has the lock but has written nothing, and again after its
/// commit. The copy is what a process that dies at that moment leaves.
final class CrashImages: Sendable {
  private let source: String
  private let copies = Mutex<[[UInt8]]>([])

  init(of folder: String) { source = folder + "/data.mdb" }

  var count: Int { copies.withLock { $0.count } }

  /// Copies the file and returns the time.
  var clock: @Sendable () -> Instant {
    { [self] in
      let bytes = FileManager.default.contents(atPath: source).map { Array($0) } ?? []
      copies.withLock { copies in
        if copies.last != bytes { copies.append(bytes) }
      }
      return .now
    }
  }

  /// Returns a folder for each copy.
  func all() throws -> [TemporaryFolder] {
    try copies.withLock { $0 }.map { bytes in
      let folder = try TemporaryFolder()
      try Data(bytes).write(to: URL(fileURLWithPath: folder.path(of: "data.mdb")))
      return folder
    }
  }
}
