import CLMDB
import Foundation
import Testing

/// A folder with a data file that liblmdb writes and reads, removed when it goes out of scope.
///
/// This calls liblmdb directly, so the tests do not depend on the code they test.
final class DataFolder {
  let url: URL
  private var environment: OpaquePointer?

  /// Makes the folder; liblmdb uses the system's page size unless `pageSize` gives another.
  init(pageSize: Int? = nil) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "inspect-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    if let pageSize { try Data(Self.emptyFile(pageSize)).write(to: URL(filePath: path)) }
    try open()
  }

  deinit {
    close()
    try? FileManager.default.removeItem(at: url)
  }

  var path: String { url.appending(path: "data.mdb").path }

  /// Returns the two meta pages of a new file.
  private static func emptyFile(_ pageSize: Int) -> [UInt8] {
    (0..<2).flatMap { number in
      let header = native(UInt64(number)) + [0, 0, 8, 0, 0, 0, 0, 0]
      let start = native(1 << 32 | 0xBEEF_C0DE) + native(0) + native(1 << 32)
      let free = native(8 << 32 | UInt64(pageSize)) + native(0) + native(0) + native(0) + native(0)
      let main = native(0) + native(0) + native(0) + native(0) + native(0)
      let page = header + start + free + native(.max) + main + native(.max) + native(1) + native(0)
      return page + [UInt8](repeating: 0, count: pageSize - page.count)
    }
  }

  func open() throws {
    try require(mdb_env_create(&environment))
    try require(mdb_env_set_maxdbs(environment, 16))
    try require(mdb_env_set_mapsize(environment, 1 << 32))
    try require(mdb_env_open(environment, url.path, UInt32(MDB_NOSYNC), 0o600))
  }

  func close() {
    if environment != nil { mdb_env_close(environment) }
    environment = nil
  }

  /// Runs a transaction; one that throws is aborted.
  func transaction<R>(
    flags: Int32 = 0, _ body: (RawTransaction) throws -> R
  ) throws -> R {
    var handle: OpaquePointer?
    try require(mdb_txn_begin(environment, nil, UInt32(flags), &handle))
    let result: R
    do {
      result = try body(RawTransaction(handle: handle))
    } catch {
      mdb_txn_abort(handle)
      throw error
    }
    try require(mdb_txn_commit(handle))
    return result
  }

  /// Copies the environment without its free pages.
  func compact(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try require(mdb_env_copy2(environment, folder.path, UInt32(MDB_CP_COMPACT)))
  }
}

/// An entry as an owned value, for comparing whole states.
struct Entry: Hashable {
  let key: [UInt8]
  let value: [UInt8]
}

/// A transaction of liblmdb.
struct RawTransaction {
  let handle: OpaquePointer?

  func table(_ name: String?, _ flags: Int32 = 0) throws -> MDB_dbi {
    var table: MDB_dbi = 0
    try require(mdb_dbi_open(handle, name, UInt32(flags | MDB_CREATE), &table))
    return table
  }

  func put(_ key: [UInt8], _ value: [UInt8], in table: MDB_dbi, _ flags: Int32 = 0) throws {
    try lend(key, value) { key, value in
      try require(mdb_put(handle, table, &key, &value, UInt32(flags)))
    }
  }

  /// Removes a key, or one of its values, if present.
  func remove(_ key: [UInt8], _ value: [UInt8]? = nil, in table: MDB_dbi) throws {
    let code = lend(key, value ?? []) { key, data in
      value == nil ? mdb_del(handle, table, &key, nil) : mdb_del(handle, table, &key, &data)
    }
    if code != MDB_NOTFOUND { try require(code) }
  }

  /// Returns the entries that a liblmdb cursor sees, in its order.
  func entries(of table: MDB_dbi) throws -> [Entry] {
    var cursor: OpaquePointer?
    try require(mdb_cursor_open(handle, table, &cursor))
    defer { mdb_cursor_close(cursor) }
    var entries: [Entry] = []
    var (key, value) = (MDB_val(), MDB_val())
    while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
      entries.append(Entry(key: bytes(key), value: bytes(value)))
    }
    return entries
  }

  private func bytes(_ value: MDB_val) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
  }

  private func lend<R>(
    _ key: [UInt8], _ value: [UInt8], _ body: (inout MDB_val, inout MDB_val) throws -> R
  ) rethrows -> R {
    var (key, value) = (key, value)
    return try key.withUnsafeMutableBytes { key in
      try value.withUnsafeMutableBytes { value in
        var (k, v) = (
          MDB_val(mv_size: key.count, mv_data: key.baseAddress),
          MDB_val(mv_size: value.count, mv_data: value.baseAddress)
        )
        return try body(&k, &v)
      }
    }
  }
}

/// A liblmdb return code other than success.
struct Failed: Error {
  let code: Int32
}

func require(_ code: Int32) throws {
  if code != 0 { throw Failed(code: code) }
}

/// A SplitMix64 generator: a seed gives the same numbers everywhere.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += native(next()) }
    return Array(bytes.prefix(count))
  }
}

/// Returns an integer in the machine's own byte order, which liblmdb's integer keys use.
func native(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
