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
    guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    throw .lastSystemError("create folder \(path)")
  }

  /// The names within, in ascending order.
  package func names() throws(LMDBError) -> [String] {
    guard let stream = unsafe opendir(path) else { throw .lastSystemError("list \(path)") }
    defer { _ = unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
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
  package func whileLocked<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
    let file = try File(path, .read)
    try file.lock()
    defer { file.unlock() }
    return try body()
  }
}
