import CLMDB
import Foundation
import LMDB

/// A log as small as LMDB allows, through liblmdb's own functions.
///
/// It has one unnamed table of values with native 64-bit numbers from 1 on as keys; no log on LMDB
/// can be simpler.
@safe final class RawLMDB {
  /// What a commit waits for.
  enum Durability {
    case sync, noMetaSync, noSync

    fileprivate var flags: CInt {
      switch self {
      case .sync: 0
      case .noMetaSync: MDB_NOMETASYNC
      case .noSync: MDB_NOSYNC
      }
    }
  }

  /// The address space, which no workload comes near to filling.
  private static let mapSize = 16 << 30

  private let environment: OpaquePointer
  private(set) var table: MDB_dbi = 0
  var last: UInt64 = 0

  /// Opens the store in `folder`, either empty for appending, or filled for reading.
  init(in folder: String, _ durability: Durability = .noSync) throws(LMDBError) {
    var created: OpaquePointer?
    try Self.check(unsafe mdb_env_create(&created), "create")
    guard let created = unsafe created else { throw LMDBError(returned: ENOMEM, "create") }
    unsafe environment = created
    try Self.check(unsafe mdb_env_set_mapsize(environment, Self.mapSize), "set map size")
    let flags = UInt32(MDB_NOTLS | MDB_NORDAHEAD | durability.flags)
    try Self.check(unsafe mdb_env_open(environment, folder, flags, 0o600), "open \(folder)")
    table = try unsafe inTransaction { transaction throws(LMDBError) in
      var table: MDB_dbi = 0
      let code = unsafe mdb_dbi_open(transaction, nil, UInt32(MDB_INTEGERKEY), &table)
      try Self.check(code, "open table")
      return table
    }
  }

  deinit { unsafe mdb_env_close(environment) }

  /// Appends `count` payloads, `batch` per commit, and returns the last one's number.
  @discardableResult
  func append(_ payloads: Payloads, count: Int, batch: Int) throws(LMDBError) -> UInt64 {
    for start in stride(from: 0, to: count, by: batch) {
      let indices = start..<min(start + batch, count)
      try unsafe inTransaction { transaction throws(LMDBError) in
        for index in indices { try unsafe put(payloads, index, transaction) }
      }
    }
    return last
  }

  /// Reads every byte of every value, in order, and returns their sum as 64-bit words.
  func sum() throws(LMDBError) -> UInt64 {
    try unsafe inTransaction(flags: UInt32(MDB_RDONLY)) { transaction throws(LMDBError) in
      var opened: OpaquePointer?
      try Self.check(unsafe mdb_cursor_open(transaction, table, &opened), "open cursor")
      guard let cursor = unsafe opened else { throw LMDBError(returned: ENOMEM, "open cursor") }
      defer { unsafe mdb_cursor_close(cursor) }
      return try unsafe sum(cursor)
    }
  }

  private func sum(_ cursor: OpaquePointer) throws(LMDBError) -> UInt64 {
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
    var sum: UInt64 = 0
    while true {
      let code = unsafe mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      if code == MDB_NOTFOUND { return sum }
      try Self.check(code, "read")
      unsafe sum &+= Self.sum(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    }
  }

  /// Sums eight bytes at a time, and the rest one by one.
  private static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum: UInt64 = 0
    let words = bytes.count & ~7
    for offset in stride(from: 0, to: words, by: 8) {
      unsafe sum &+= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    for offset in words..<bytes.count { unsafe sum &+= UInt64(bytes[offset]) }
    return sum
  }

  private func put(
    _ payloads: Payloads, _ index: Int, _ transaction: OpaquePointer
  ) throws(LMDBError) {
    last += 1
    var number = last
    let code = unsafe payloads.bytes.withUnsafeBytes { bytes in
      unsafe withUnsafeMutableBytes(of: &number) { number in
        let slice = unsafe UnsafeMutableRawBufferPointer(
          mutating: UnsafeRawBufferPointer(rebasing: bytes[payloads.range(of: index)]))
        var key = unsafe MDB_val(mv_size: number.count, mv_data: number.baseAddress)
        var value = unsafe MDB_val(mv_size: slice.count, mv_data: slice.baseAddress)
        return unsafe mdb_put(transaction, table, &key, &value, UInt32(MDB_APPEND))
      }
    }
    try Self.check(code, "put")
  }

  /// Runs `body` as one transaction.
  @unsafe func inTransaction<Result>(
    flags: UInt32 = 0, _ body: (OpaquePointer) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    var begun: OpaquePointer?
    try Self.check(unsafe mdb_txn_begin(environment, nil, flags, &begun), "begin")
    guard let transaction = unsafe begun else { throw LMDBError(returned: ENOMEM, "begin") }
    let result: Result
    do throws(LMDBError) {
      result = try unsafe body(transaction)
    } catch {
      unsafe mdb_txn_abort(transaction)
      throw error
    }
    try Self.check(unsafe mdb_txn_commit(transaction), "commit")
    return result
  }

  static func check(_ code: CInt, _ subject: String) throws(LMDBError) {
    if code != MDB_SUCCESS { throw LMDBError(returned: code, "raw LMDB: \(subject)") }
  }
}
