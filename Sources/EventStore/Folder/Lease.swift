package import LMDB
import Synchronization

/// An exclusive right that one process holds at a time, such as the right to write the views.
///
/// The lease is a lock on a file, which the system releases when a process dies. The file contains
/// the holder's process number, for messages. An orderly release clears the number, so the next
/// holder knows whether the previous one died. ``release()`` and dropping the last reference both
/// release the lease.
package final class Lease: Sendable {
  /// The name of the file.
  package static let file = "lease"
  /// The maximum number of attempts to take the lease while its file is being removed.
  private static let triesMax = 16

  /// Whether the previous holder's process ended without releasing the lease.
  package let isInherited: Bool
  private let folder: Folder
  private let identity: File.Identity
  private let held: Mutex<File?>

  /// Takes the lease of a folder; returns `nil` if any process holds it, including this one.
  ///
  /// Never waits.
  static func tryTake(in folder: Folder) throws(LMDBError) -> Lease? {
    for _ in 0..<triesMax {
      let file = try File(folder.path(of: file), .open)
      guard try file.tryLock() else { return nil }
      let identity = try file.identity()
      // Between opening and locking, the file may have been removed with its folder.
      guard try folder.identity(of: Self.file) == identity else { continue }
      return try Lease(file, identity, folder)
    }
    throw LMDBError(.missing, "take \(folder.path(of: file))")
  }

  private init(
    _ file: consuming File, _ identity: File.Identity, _ folder: Folder
  ) throws(LMDBError) {
    isInherited = try Self.holder(in: file) != nil
    try file.write(Self.bytes(of: ThisProcess.number))
    self.folder = folder
    self.identity = identity
    held = Mutex(consume file)
  }

  deinit { release() }

  /// Releases the lease; does nothing the second time.
  package func release() {
    held.withLock { held in
      // If the number remains, the next holder is merely more careful than necessary.
      try? held?.write(Self.bytes(of: 0))
      // Closing alone is not enough while a child that is just being started also has the file.
      held?.unlock()
      held = nil
    }
  }

  /// Whether the lease has not been released.
  package var isHeld: Bool { held.withLock { $0 != nil } }

  /// Returns whether the lease of a folder is free, or becomes free within a moment: a dying
  /// process is reported to have closed its files just before it releases them.
  ///
  /// Blocks for up to that long.
  static func isFreeSoon(in folder: Folder) -> Bool {
    for attempt in 1...looksMax {
      if (try? isFree(in: folder)) == true { return true }
      if attempt < looksMax { WorkerThread.sleep(.milliseconds(1)) }
    }
    return false
  }

  /// The maximum number of checks, a millisecond apart, of a lease that is reported to be free.
  private static let looksMax = 50

  /// Returns whether the lease of a folder is free; it may be taken in the next instant.
  ///
  /// Writes nothing, so it does not wake anyone who watches the file.
  package static func isFree(in folder: Folder) throws(LMDBError) -> Bool {
    guard folder.contains(file) else { return true }
    do throws(LMDBError) {
      return try File(folder.path(of: file), .read).tryLock(shared: true)
    } catch {
      guard error.code == .missing else { throw error }
      return true
    }
  }

  /// Returns whether the lease is held and its file is still in place.
  ///
  /// This is false once the folder was removed or replaced: someone else may then hold the new
  /// folder's lease, and nothing may be written there any more.
  package func stands() throws(LMDBError) -> Bool { try stands(in: folder) }

  /// Returns whether the lease is held and belongs to a folder.
  func stands(in folder: Folder) throws(LMDBError) -> Bool {
    guard isHeld else { return false }
    return try folder.identity(of: Self.file) == identity
  }

  /// Returns the number of the process that holds the lease of a folder, or died holding it.
  package static func holder(in folder: Folder) throws(LMDBError) -> Int? {
    guard folder.contains(file) else { return nil }
    return try holder(in: File(folder.path(of: file), .read))
  }

  private static let digits = 20

  /// Returns the number in decimal, padded to a fixed length, followed by a newline.
  private static func bytes(of process: Int) -> [UInt8] {
    let number = String(process)
    return Array((String(repeating: "0", count: digits - number.count) + number + "\n").utf8)
  }

  private static func holder(in file: borrowing File) throws(LMDBError) -> Int? {
    let text = String(decoding: try file.bytes(at: 0, count: digits), as: UTF8.self)
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
