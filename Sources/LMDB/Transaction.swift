import CLMDB

/// What can be read within a transaction of either kind.
public protocol Transaction: ~Copyable, ~Escapable {
  /// What reading goes through.
  var access: TransactionAccess { @_lifetime(borrow self) get }
}

/// The capability to read that a transaction lends to the functions of this module.
@safe
public struct TransactionAccess: ~Escapable {
  unowned(unsafe) let environment: Environment
  let pointer: OpaquePointer

  @_lifetime(immortal)
  init(_ environment: Environment, _ pointer: OpaquePointer) {
    unsafe self.environment = environment
    unsafe self.pointer = unsafe pointer
  }

  func handle<Key, Value>(of table: Table<Key, Value>) -> MDB_dbi {
    unsafe environment.handle(of: table)
  }
}

@available(*, unavailable)
extension TransactionAccess: Sendable {}

extension Transaction where Self: ~Copyable & ~Escapable {
  /// The number of the state that is read: each commit's is greater by one.
  public var id: UInt64 { UInt64(unsafe mdb_txn_id(access.pointer)) }

  /// The bytes that a key stands for, borrowed from the map without a copy, or `nil`.
  ///
  /// O(log n).
  ///
  /// In a table with duplicates, the first.
  @_lifetime(borrow self)
  public func bytes<Key, Value>(
    for key: Key, in table: Table<Key, Value>
  ) throws(LMDBError) -> RawSpan? {
    var value = unsafe MDB_val()
    let (pointer, handle) = unsafe (access.pointer, access.handle(of: table))
    let result = key.withBytes { key in
      unsafe withValues(key, RawSpan()) { key, _ in
        unsafe mdb_get(pointer, handle, key, &value)
      }
    }
    guard try found(result, "get from", table) else { return nil }
    return unsafe _overrideLifetime(value.bytes, borrowing: self)
  }

  /// The value of a key, or `nil` where it has none.
  ///
  /// O(log n).
  ///
  /// - Throws: `undecodable` where the bytes are not of the table's type.
  public func value<Key, Value>(
    for key: Key, in table: Table<Key, Value>
  ) throws(LMDBError) -> Value? {
    guard let bytes = try bytes(for: key, in: table) else { return nil }
    guard let value = Value(bytes: bytes) else {
      throw LMDBError(.undecodable, "get from \(table.name)")
    }
    return value
  }

  /// How many values a table holds.
  ///
  /// O(1).
  public func count<Key, Value>(of table: Table<Key, Value>) throws(LMDBError) -> Int {
    var statistics = MDB_stat()
    let handle = access.handle(of: table)
    try check(unsafe mdb_stat(access.pointer, handle, &statistics), "count", table)
    return Int(statistics.ms_entries)
  }
}

/// Calls `body` with two spans as LMDB takes them.
func withValues<R>(
  _ key: RawSpan, _ value: RawSpan,
  _ body: (UnsafeMutablePointer<MDB_val>, UnsafeMutablePointer<MDB_val>) -> R
) -> R {
  unsafe key.withUnsafeBytes { keyBytes in
    unsafe value.withUnsafeBytes { valueBytes in
      var key = unsafe MDB_val(keyBytes)
      var value = unsafe MDB_val(valueBytes)
      return unsafe body(&key, &value)
    }
  }
}

extension MDB_val {
  /// Bytes for LMDB to read; it never writes through this pointer.
  @unsafe init(_ bytes: UnsafeRawBufferPointer) {
    let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    unsafe self.init(mv_size: bytes.count, mv_data: start)
  }

  /// The bytes, which live as long as LMDB says.
  @unsafe var buffer: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size)
  }

  /// The bytes, which live as long as LMDB says.
  @unsafe var bytes: RawSpan {
    @_lifetime(immortal) get {
      guard let start = unsafe mv_data else { return RawSpan() }
      let span = unsafe RawSpan(_unsafeStart: start, byteCount: mv_size)
      return unsafe _overrideLifetime(span, copying: ())
    }
  }
}

/// Throws where LMDB returned a failure.
@inline(__always)
func check(
  _ result: CInt, _ operation: StaticString, _ subject: @autoclosure () -> String = ""
) throws(LMDBError) {
  guard result != MDB_SUCCESS else { return }
  let subject = subject()
  throw LMDBError(returned: result, subject.isEmpty ? "\(operation)" : "\(operation) \(subject)")
}

/// Throws where LMDB returned a failure of an operation on a table.
@inline(__always)
func check<Key, Value>(
  _ result: CInt, _ operation: StaticString, _ table: Table<Key, Value>
) throws(LMDBError) {
  guard result != MDB_SUCCESS else { return }
  throw LMDBError(returned: result, operation, table.name)
}

/// Whether LMDB found what was asked for; throws where it failed.
@inline(__always)
func found<Key, Value>(
  _ result: CInt, _ operation: StaticString, _ table: Table<Key, Value>
) throws(LMDBError) -> Bool {
  guard result != MDB_NOTFOUND else { return false }
  try check(result, operation, table)
  return true
}
