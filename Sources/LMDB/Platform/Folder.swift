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

  /// The path of an entry.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// The folder of that name within this one.
  package func folder(_ name: String) -> Folder { Folder(path(of: name)) }

  /// Makes the folder where it is not there yet; its parent must be.
  package func create() throws(LMDBError) {
    guard unsafe mkdir(path, 0o700) != 0 else { return }
    // What is there already may be a file, which has no entries, not even its own.
    if errno == EEXIST, contains(".") { return }
    throw .lastSystemError("create folder \(path)")
  }

  /// The names within, in ascending order.
  package func names() throws(LMDBError) -> [String] {
    guard let stream = unsafe opendir(path) else { throw .lastSystemError("list \(path)") }
    defer { _ = unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // In place: an entry is shorter than its type, and the memory may end where it does.
      guard let start = unsafe entry.pointer(to: \.d_name) else { continue }
      let name = unsafe start.withMemoryRebound(to: CChar.self, capacity: 1) {
        unsafe String(cString: $0)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether there is an entry of that name.
  package func contains(_ name: String) -> Bool { unsafe access(path(of: name), F_OK) == 0 }

  /// Gives an entry another name, replacing what had it.
  package func rename(_ name: String, to other: String) throws(LMDBError) {
    guard unsafe renameat(AT_FDCWD, path(of: name), AT_FDCWD, path(of: other)) == 0 else {
      throw .lastSystemError("rename \(path(of: name)) to \(other)")
    }
  }

  /// What is put behind the name of a file that is to replace another.
  package static let unfinished = ".new"

  /// Gives a file other bytes, all at once for whoever reads it; it may not have been there.
  ///
  /// For one writer at a time. After a loss of power it may have the old bytes, the new ones, or
  /// neither: it is not flushed.
  package func replace(_ name: String, with bytes: [UInt8]) throws(LMDBError) {
    let unfinished = name + Self.unfinished
    try remove(unfinished)
    try File(path(of: unfinished), .create).write(bytes)
    try rename(unfinished, to: name)
  }

  /// The bytes of a file, or `nil` where there is none, or more than `limit` of them.
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

  /// Which file has a name, or `nil` where none has.
  package func identity(of name: String) throws(LMDBError) -> File.Identity? {
    try status(of: name)?.identity
  }

  /// Which file has a name, and how many bytes it has, or `nil` where none has the name.
  ///
  /// The file is not opened.
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

  /// Takes over a file from another folder, unless there is one of that name already.
  ///
  /// Where the file system has no further names for a file, or `canLink` is false, the other folder
  /// loses it; nobody but this function may then put one of that name here meanwhile.
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

  /// Removes the folder with the files and folders in it.
  package func removeWithFiles() throws(LMDBError) {
    for name in try names() {
      do throws(LMDBError) { try remove(name) } catch {
        guard folder(name).contains(".") else { throw error }
        try folder(name).removeWithFiles()
      }
    }
    guard unsafe rmdir(path) == 0 else { throw .lastSystemError("remove folder \(path)") }
  }

  /// Removes a file; one that is gone already is no error.
  package func remove(_ name: String) throws(LMDBError) {
    guard unsafe unlink(path(of: name)) != 0, errno != ENOENT else { return }
    throw .lastSystemError("remove \(path(of: name))")
  }

  /// Returns once the names within are on the medium.
  package func flush() throws(LMDBError) {
    try File(path, .read).flush()
  }

  /// Returns once the names within and the folder's own are on the medium.
  package func flushWithName() throws(LMDBError) {
    try flush()
    try folder("..").flush()
  }

  /// Calls `body` while no other process, nor anyone else in this one, is doing the same.
  ///
  /// It waits for them. A process that dies lets go.
  func whileLocked<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
    let file = try File(path, .read)
    try file.lock()
    defer { file.unlock() }
    return try body()
  }
}
