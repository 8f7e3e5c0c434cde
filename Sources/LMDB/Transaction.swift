import CLMDB

/// A transaction, of either kind, that can be read.
public protocol Transaction: ~Copyable, ~Escapable {
  /// The access for reading.
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

  func number(of table: TableHandle) -> MDB_dbi { unsafe environment.number(of: table) }

  /// Returns LMDB's result for a key, and the bytes of its first value.
  @usableFromInline
  func get(_ key: RawSpan, from table: TableHandle) -> (result: CInt, UnsafeRawBufferPointer) {
    var value = unsafe MDB_val()
    let result = unsafe withValues(key, RawSpan()) { key, _ in
      unsafe mdb_get(pointer, number(of: table), key, &value)
    }
    return unsafe (result, value.buffer)
  }
}

@available(*, unavailable)
extension TransactionAccess: Sendable {}

extension Transaction where Self: ~Copyable & ~Escapable {
  /// The number of the state that is read; each commit increments it by one.
  public var id: UInt64 { UInt64(unsafe mdb_txn_id(access.pointer)) }

  /// Returns the bytes of a key's value, borrowed from the map without a copy; `nil` if there is
  /// none.
  ///
  /// O(log n).
  ///
  /// In a table with duplicates, returns the first value.
  @inlinable
  @_lifetime(borrow self)
  public func bytes<Key, Value>(
    for key: Key, in table: Table<Key, Value>
  ) throws(LMDBError) -> RawSpan? {
    let access = access
    let (result, bytes) = unsafe key.withBytes { unsafe access.get($0, from: table.handle) }
    if result != 0, try found(result, "get from", table) == false { return nil }
    return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
  }

  /// Returns a key's value; `nil` if there is none.
  ///
  /// O(log n).
  ///
  /// - Throws: `undecodable` if the bytes can't be decoded as the table's type.
  public func value<Key, Value>(
    for key: Key, in table: Table<Key, Value>
  ) throws(LMDBError) -> Value? {
    guard let bytes = try bytes(for: key, in: table) else { return nil }
    guard let value = Value(bytes: bytes) else {
      throw LMDBError(.undecodable, "get from \(label(table.name))")
    }
    return value
  }

  /// Returns the number of pages in a table.
  ///
  /// O(1).
  package func pageCount<Key, Value>(of table: Table<Key, Value>) throws(LMDBError) -> Int {
    var statistics = MDB_stat()
    let handle = access.number(of: table.handle)
    try check(unsafe mdb_stat(access.pointer, handle, &statistics), "measure", table)
    return Int(
      statistics.ms_branch_pages + statistics.ms_leaf_pages + statistics.ms_overflow_pages)
  }

  /// Returns the number of values in a table.
  ///
  /// O(1).
  public func count<Key, Value>(of table: Table<Key, Value>) throws(LMDBError) -> Int {
    var statistics = MDB_stat()
    let handle = access.number(of: table.handle)
    try check(unsafe mdb_stat(access.pointer, handle, &statistics), "count", table)
    return Int(statistics.ms_entries)
  }
}

/// Calls `body` with two spans in LMDB's representation.
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

  /// The bytes, valid for as long as LMDB specifies; empty if LMDB failed to reach them.
  @unsafe var buffer: UnsafeRawBufferPointer {
    // For a value on missing pages, LMDB has already set the size.
    unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_data == nil ? 0 : mv_size)
  }
}

/// Throws if LMDB returned a failure.
@inline(__always)
func check(
  _ result: CInt, _ operation: StaticString, _ subject: @autoclosure () -> String = ""
) throws(LMDBError) {
  guard result != MDB_SUCCESS else { return }
  let subject = subject()
  throw LMDBError(returned: result, subject.isEmpty ? "\(operation)" : "\(operation) \(subject)")
}

/// Throws if LMDB returned a failure of an operation on a table.
@usableFromInline
func check<Key, Value>(
  _ result: CInt, _ operation: StaticString, _ table: Table<Key, Value>
) throws(LMDBError) {
  guard result != MDB_SUCCESS else { return }
  throw LMDBError(returned: result, operation, label(table.name))
}

/// Whether LMDB found the requested entry; throws if LMDB failed.
@usableFromInline
func found<Key, Value>(
  _ result: CInt, _ operation: StaticString, _ table: Table<Key, Value>
) throws(LMDBError) -> Bool {
  guard result != MDB_NOTFOUND else { return false }
  try check(result, operation, table)
  return true
}
