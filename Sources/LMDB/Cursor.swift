import CLMDB
import CPlatform

/// A position in a table, moved from entry to entry in key order.
///
/// The cursor begins outside its range, which is both before the first entry and after the last:
/// ``next()`` moves to the first, ``previous()`` to the last, and it is outside again when either
/// finds no further entry. A table with duplicates has one entry per value. A cursor can't outlive
/// its transaction, and the transaction can't change the table in the meantime.
@safe
public struct Cursor<Key: TableElement, Value: TableElement>: ~Copyable, ~Escapable {
  let pointer: OpaquePointer
  let table: Table<Key, Value>
  private let transaction: OpaquePointer
  private let range: KeyRange<Key>
  private let hasUpper: Bool
  @usableFromInline private(set) var place = Place.outside
  @usableFromInline private(set) var keyBytes = unsafe UnsafeRawBufferPointer.empty
  @usableFromInline private(set) var valueBytes = unsafe UnsafeRawBufferPointer.empty

  /// Longer values are alone on their page, or on pages of their own.
  private static var prefetchMax: Int { 1024 }

  @usableFromInline
  enum Place {
    case outside
    case onEntry
    case onRemoved
  }

  @_lifetime(immortal)
  init(
    _ access: borrowing TransactionAccess, _ table: Table<Key, Value>, _ range: KeyRange<Key>
  ) throws(LMDBError) {
    var cursor: OpaquePointer?
    unsafe transaction = unsafe access.pointer
    let handle = access.number(of: table.handle)
    try check(unsafe mdb_cursor_open(transaction, handle, &cursor), "open a cursor in", table)
    guard let cursor = unsafe cursor else { throw LMDBError(.badTransaction, "open a cursor") }
    unsafe pointer = unsafe cursor
    self.table = table
    self.range = range
    hasUpper = range.upper != nil
  }

  deinit { unsafe mdb_cursor_close(pointer) }

  /// Whether the cursor is on an entry, so that ``key`` and ``value`` can be read.
  @inlinable public var isPlaced: Bool { place == .onEntry }

  /// The bytes of the current key.
  @inlinable public var key: RawSpan {
    @_lifetime(borrow self) get {
      precondition(isPlaced, "the cursor stands on no entry")
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: keyBytes), borrowing: self)
    }
  }

  /// The bytes of the current value.
  @inlinable public var value: RawSpan {
    @_lifetime(borrow self) get {
      precondition(isPlaced, "the cursor stands on no entry")
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: valueBytes), borrowing: self)
    }
  }

  /// Moves to the next entry of the range; returns whether there is one.
  ///
  /// Amortized O(1); O(log n) from outside.
  @_lifetime(self: copy self)
  public mutating func next() throws(LMDBError) -> Bool {
    if place == .outside { try moveToFirst() } else { try move(MDB_NEXT) }
    // A scan without an upper bound is the common case, and avoids reading the rest of the cursor.
    guard hasUpper else {
      if isPlaced, unsafe valueBytes.count < Self.prefetchMax {
        unsafe tideline_prefetch_next(valueBytes.baseAddress, valueBytes.count)
      }
      return isPlaced
    }
    return stay(where: isPlaced && isBelowUpper)
  }

  /// Moves to the previous entry of the range; returns whether there is one.
  ///
  /// Amortized O(1); O(log n) from outside.
  @_lifetime(self: copy self)
  public mutating func previous() throws(LMDBError) -> Bool {
    if place == .outside { try moveToLast() } else { try move(MDB_PREV) }
    return stay(where: isPlaced && isAboveLower)
  }

  /// Moves to the first entry of the range at or after `key`; returns whether there is one.
  ///
  /// O(log n).
  @_lifetime(self: copy self)
  public mutating func seek(_ key: Key) throws(LMDBError) -> Bool {
    let bytes = key.withBytes { $0.array }
    if bytes.isEmpty { try moveToFirst() } else { try move(MDB_SET_RANGE, to: bytes) }
    if isPlaced, !isAboveLower { try moveToFirst() }
    return stay(where: isPlaced && isBelowUpper)
  }

  /// Returns the number of values of the current key.
  public func countOfValues() throws(LMDBError) -> Int {
    precondition(isPlaced, "the cursor stands on no entry")
    guard table.options.contains(.duplicates) else { return 1 }
    var count = 0
    try check(unsafe mdb_cursor_count(pointer, &count), "count values in", table)
    return count
  }

  /// Rereads the current entry after a change.
  @_lifetime(self: copy self)
  mutating func reload() throws(LMDBError) { try move(MDB_GET_CURRENT) }

  /// Notes that the current entry was removed; the next move starts from where it was.
  @_lifetime(self: copy self)
  mutating func forgetEntry() { place = .onRemoved }

  @_lifetime(self: copy self)
  private mutating func stay(where stays: Bool) -> Bool {
    if !stays { place = .outside }
    return stays
  }

  @_lifetime(self: copy self)
  private mutating func moveToFirst() throws(LMDBError) {
    guard let lower = range.lower else { return try move(MDB_FIRST) }
    try move(MDB_SET_RANGE, to: lower)
  }

  @_lifetime(self: copy self)
  private mutating func moveToLast() throws(LMDBError) {
    guard let upper = range.upper else { return try move(MDB_LAST) }
    guard !upper.isEmpty else { return place = .outside }
    try move(MDB_SET_RANGE, to: upper)
    guard isPlaced else { return try move(MDB_LAST) }
    let isUpper = unsafe compare(keyBytes, to: upper) == 0
    guard range.includesUpper, isUpper else { return try move(MDB_PREV) }
    if table.options.contains(.duplicates) { try moveToLastValue() }
  }

  /// For a move among one key's values, LMDB returns only the value.
  @_lifetime(self: copy self)
  private mutating func moveToLastValue() throws(LMDBError) {
    try move(MDB_LAST_DUP)
    try move(MDB_GET_CURRENT)
  }

  @inline(__always)
  @_lifetime(self: copy self)
  private mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) {
    // A move among one key's values leaves the key unchanged.
    var (key, value) = unsafe (MDB_val(keyBytes), MDB_val())
    let result = unsafe mdb_cursor_get(pointer, &key, &value, operation)
    unsafe (keyBytes, valueBytes) = unsafe (key.buffer, value.buffer)
    place = .onEntry
    if result != MDB_SUCCESS { try leave(result) }
  }

  @_lifetime(self: copy self)
  private mutating func move(_ operation: MDB_cursor_op, to key: [UInt8]) throws(LMDBError) {
    let cursor = unsafe pointer
    let (result, foundKey, foundValue) = unsafe key.withUnsafeBytes { bytes in
      var key = unsafe MDB_val(bytes)
      var value = unsafe MDB_val()
      let result = unsafe mdb_cursor_get(cursor, &key, &value, operation)
      return unsafe (result, key, value)
    }
    unsafe (keyBytes, valueBytes) = unsafe (foundKey.buffer, foundValue.buffer)
    place = .onEntry
    if result != MDB_SUCCESS { try leave(result) }
  }

  /// Leaves the range, as LMDB found no entry or failed.
  @_lifetime(self: copy self)
  private mutating func leave(_ result: CInt) throws(LMDBError) {
    place = .outside
    _ = try found(result, "read", table)
  }

  private var isBelowUpper: Bool {
    guard let upper = range.upper else { return true }
    let order = unsafe compare(keyBytes, to: upper)
    return order < 0 || (order == 0 && range.includesUpper)
  }

  private var isAboveLower: Bool {
    guard let lower = range.lower else { return true }
    return unsafe compare(keyBytes, to: lower) >= 0
  }

  /// Compares in the table's order; integers without a call, as a scan compares every entry.
  private func compare(_ key: UnsafeRawBufferPointer, to bound: [UInt8]) -> CInt {
    unsafe bound.withUnsafeBytes { bound in
      if Key.self == UInt64.self, key.count == 8 {
        let mine = unsafe key.loadUnaligned(as: UInt64.self)
        let other = unsafe bound.loadUnaligned(as: UInt64.self)
        return mine < other ? -1 : mine == other ? 0 : 1
      }
      var (mine, other) = unsafe (MDB_val(key), MDB_val(bound))
      return unsafe mdb_cmp(transaction, table.handle.number, &mine, &other)
    }
  }
}

extension Transaction where Self: ~Copyable & ~Escapable {
  /// Returns a cursor over the entries of a table whose keys are in `range`.
  @_lifetime(borrow self)
  public func cursor<Key, Value>(
    over table: Table<Key, Value>, in range: KeyRange<Key> = .all
  ) throws(LMDBError) -> Cursor<Key, Value> {
    let cursor = try Cursor(access, table, range)
    return unsafe _overrideLifetime(cursor, borrowing: self)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate static var empty: Self { unsafe Self(start: nil, count: 0) }
}
