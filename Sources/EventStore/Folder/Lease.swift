package import LMDB
import Synchronization

/// The right to something that one process does at a time, such as to write the views.
///
/// It is a lock on a file, which the system takes back from a process that dies; the file has the
/// holder's number, for messages. Given back in order, it has none: so whoever takes it next knows
/// whether the holder before died. It is given back by ``release()`` and with the last reference.
package final class Lease: Sendable {
  /// The name of the file.
  package static let file = "lease"
  /// How often taking it begins again where the file is taken away meanwhile.
  private static let triesMax = 16

  /// Whether the process that held it before ended without giving it back.
  package let isInherited: Bool
  private let folder: Folder
  private let identity: File.Identity
  private let held: Mutex<File?>

  /// Takes the lease of a folder; `nil` where a process has it, this one included.
  ///
  /// It waits for nobody.
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

  /// Gives it back; a second time does nothing.
  package func release() {
    held.withLock { held in
      // Where the number stays, the next holder only takes more care than it need.
      try? held?.write(Self.bytes(of: 0))
      // Closing alone would not do while a child that is just being started has the file as well.
      held?.unlock()
      held = nil
    }
  }

  /// Whether it was not given back.
  package var isHeld: Bool { held.withLock { $0 != nil } }

  /// Whether nobody holds the lease of a folder, or will not within a moment: a process that dies
  /// is said to have closed its files just before it lets go of them.
  ///
  /// It blocks so long.
  static func isFreeSoon(in folder: Folder) -> Bool {
    for attempt in 1...looksMax {
      if (try? isFree(in: folder)) == true { return true }
      if attempt < looksMax { WorkerThread.sleep(.milliseconds(1)) }
    }
    return false
  }

  /// How often, a millisecond apart, a lease that is said to be free is looked for.
  private static let looksMax = 50

  /// Whether nobody holds the lease of a folder; it may be taken in the next instant.
  ///
  /// It writes nothing, so that who watches the file is not woken by it.
  package static func isFree(in folder: Folder) throws(LMDBError) -> Bool {
    guard folder.contains(file) else { return true }
    do throws(LMDBError) {
      return try File(folder.path(of: file), .read).tryLock(shared: true)
    } catch {
      guard error.code == .missing else { throw error }
      return true
    }
  }

  /// Whether it is held, and its file still where others look for it.
  ///
  /// False once the folder was removed or another put in its place: somebody else may then hold a
  /// lease of that, and nothing may be written there any more.
  package func stands() throws(LMDBError) -> Bool { try stands(in: folder) }

  /// Whether it is held, and is the lease of this folder.
  func stands(in folder: Folder) throws(LMDBError) -> Bool {
    guard isHeld else { return false }
    return try folder.identity(of: Self.file) == identity
  }

  /// The number of the process that holds the lease of a folder, or died holding it.
  package static func holder(in folder: Folder) throws(LMDBError) -> Int? {
    guard folder.contains(file) else { return nil }
    return try holder(in: File(folder.path(of: file), .read))
  }

  private static let digits = 20

  /// The number in decimal, always as long, and a line's end.
  private static func bytes(of process: Int) -> [UInt8] {
    let number = String(process)
    return Array((String(repeating: "0", count: digits - number.count) + number + "\n").utf8)
  }

  private static func holder(in file: borrowing File) throws(LMDBError) -> Int? {
    let text = String(decoding: try file.bytes(at: 0, count: digits), as: UTF8.self)
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
