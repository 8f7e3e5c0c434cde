import EventStore
import Foundation
import LMDB
import Synchronization
import TestSupport

/// Copies of a log's file, one at each look at the clock.
///
/// A slice looks when it has the lock and has written nothing yet, and again when it is committed.
/// What a process leaves that dies there is in the copy.
final class CrashImages: Sendable {
  private let source: String
  private let copies = Mutex<[[UInt8]]>([])

  init(of folder: String) { source = folder + "/data.mdb" }

  var count: Int { copies.withLock { $0.count } }

  /// The time, and a copy.
  var clock: @Sendable () -> Instant {
    { [self] in
      let bytes = FileManager.default.contents(atPath: source).map { Array($0) } ?? []
      copies.withLock { copies in
        if copies.last != bytes { copies.append(bytes) }
      }
      return .now
    }
  }

  /// A folder for each copy.
  func all() throws -> [TemporaryFolder] {
    try copies.withLock { $0 }.map { bytes in
      let folder = try TemporaryFolder()
      try Data(bytes).write(to: URL(fileURLWithPath: folder.path(of: "data.mdb")))
      return folder
    }
  }
}
