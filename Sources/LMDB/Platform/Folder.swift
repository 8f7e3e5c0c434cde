#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of the file system, by path.
package struct Folder: Sendable, Hashable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// Returns the path of an entry.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Returns the subfolder with a name.
  package func folder(_ name: String) -> Folder { Folder(path(of: name)) }

  /// Creates the folder if missing; its parent must exist.
  package func create() throws(LMDBError) {
    guard unsafe mkdir(path, 0o700) != 0 else { return }
    // The existing entry may be a file, which has no entries, not even ".".
    if errno == EEXIST, contains(".") { return }
    throw .lastSystemError("create folder \(path)")
  }

  /// Returns the names of the entries, in ascending order.
  package func names() throws(LMDBError) -> [String] {
    guard let stream = unsafe opendir(path) else { throw .lastSystemError("list \(path)") }
    defer { _ = unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // Read in place: an entry may be shorter than its type, and memory may end with the entry.
      guard let start = unsafe entry.pointer(to: \.d_name) else { continue }
      let name = unsafe start.withMemoryRebound(to: CChar.self, capacity: 1) {
        unsafe String(cString: $0)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether the folder has an entry with that name.
  package func contains(_ name: String) -> Bool { unsafe access(path(of: name), F_OK) == 0 }

  /// Renames an entry, replacing any entry with the new name.
  package func rename(_ name: String, to other: String) throws(LMDBError) {
    guard unsafe renameat(AT_FDCWD, path(of: name), AT_FDCWD, path(of: other)) == 0 else {
      throw .lastSystemError("rename \(path(of: name)) to \(other)")
    }
  }

  /// The suffix of a file that will replace another.
  package static let unfinished = ".new"

  /// Replaces a file's contents, atomically for readers; the file need not exist.
  ///
  /// Only one writer at a time may do this. The file isn't flushed: after a loss of power, it may
  /// have the old bytes, the new ones, or neither.
  package func replace(_ name: String, with bytes: [UInt8]) throws(LMDBError) {
    let unfinished = name + Self.unfinished
    try remove(unfinished)
    try File(path(of: unfinished), .create).write(bytes)
    try rename(unfinished, to: name)
  }

  /// Returns the bytes of a file; `nil` if it doesn't exist or has more than `limit` bytes.
  package func bytes(of name: String, limit: Int) throws(LMDBError) -> [UInt8]? {
    guard contains(name) else { return nil }
    do throws(LMDBError) {
      let file = try File(path(of: name), .read)
      let size = try file.size()
      return size <= limit ? try file.bytes(at: 0, count: size) : nil
    } catch {
      guard error.code == .missing else { throw error }
      return nil
    }
  }

  /// Returns the identity of the file with a name; `nil` if there is none.
  package func identity(of name: String) throws(LMDBError) -> File.Identity? {
    try status(of: name)?.identity
  }

  /// Returns the identity and size of the file with a name; `nil` if there is none.
  ///
  /// The file isn't opened.
  package func status(
    of name: String
  ) throws(LMDBError) -> (identity: File.Identity, size: Int)? {
    var status = stat()
    guard unsafe fstatat(AT_FDCWD, path(of: name), &status, 0) != 0 else {
      return (File.Identity(status), Int(status.st_size))
    }
    guard [ENOENT, ENOTDIR].contains(errno) else {
      throw .lastSystemError("stat \(path(of: name))")
    }
    return nil
  }

  /// Adopts a file from another folder, unless this one already has a file with that name.
  ///
  /// If the file system doesn't support hard links, or `canLink` is `false`, the file is moved.
  /// Then nothing but this function may create a file with that name here in the meantime.
  package func adopt(
    _ name: String, from other: Folder, canLink: Bool = true
  ) throws(LMDBError) {
    if canLink {
      guard unsafe link(other.path(of: name), path(of: name)) != 0, errno != EEXIST else { return }
      guard [EPERM, ENOTSUP, EOPNOTSUPP].contains(errno) else {
        throw .lastSystemError("name \(path(of: name))")
      }
    }
    try whileLocked { () throws(LMDBError) in
      guard !contains(name) else { return }
      guard unsafe renameat(AT_FDCWD, other.path(of: name), AT_FDCWD, path(of: name)) == 0 else {
        throw .lastSystemError("name \(path(of: name))")
      }
    }
  }

  /// Removes the folder with all files and folders in it.
  package func removeWithFiles() throws(LMDBError) {
    for name in try names() {
      do throws(LMDBError) { try remove(name) } catch {
        guard folder(name).contains(".") else { throw error }
        try folder(name).removeWithFiles()
      }
    }
    guard unsafe rmdir(path) == 0 else { throw .lastSystemError("remove folder \(path)") }
  }

  /// Removes a file; ignores one that doesn't exist.
  package func remove(_ name: String) throws(LMDBError) {
    guard unsafe unlink(path(of: name)) != 0, errno != ENOENT else { return }
    throw .lastSystemError("remove \(path(of: name))")
  }

  /// Returns once the names of the entries are durable.
  package func flush() throws(LMDBError) {
    try File(path, .read).flush()
  }

  /// Returns once the names of the entries and the folder's own name are durable.
  package func flushWithName() throws(LMDBError) {
    try flush()
    try folder("..").flush()
  }

  /// Calls `body` under an exclusive lock on the folder, across all processes and within this one.
  ///
  /// Waits for the lock. A process that dies releases it.
  func whileLocked<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
    let file = try File(path, .read)
    try file.lock()
    defer { file.unlock() }
    return try body()
  }
}
