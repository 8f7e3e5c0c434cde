import CLMDB

/// A place in a table, moved from entry to entry in the order of keys.
///
/// It begins before the first and behind the last entry of its range: ``next()`` goes to the first,
/// ``previous()`` to the last. A table with duplicates has one entry for each value. A cursor can't
/// outlive its transaction.
@safe
public struct Cursor<Key: TableElement, Value: TableElement>: ~Copyable, ~Escapable {
  let pointer: OpaquePointer
  let table: Table<Key, Value>
  private let range: KeyRange<Key>
  /// Whether the range has an upper bound, seen without touching the bound.
  private let isBounded: Bool
  private let access: TransactionAccess
  private var keyBytes = unsafe MDB_val()
  private var valueBytes = unsafe MDB_val()

  /// Whether it stands on an entry, so that ``key`` and ``value`` can be read.
  public private(set) var isPlaced = false

  @_lifetime(immortal)
  init(
    _ access: TransactionAccess, _ table: Table<Key, Value>, _ range: KeyRange<Key> = .all
  ) throws(LMDBError) {
    var cursor: OpaquePointer?
    let handle = access.environment.handle(of: table)
    try check(unsafe mdb_cursor_open(access.pointer, handle, &cursor), "open a cursor")
    guard let cursor = unsafe cursor else { throw LMDBError(.badTransaction, "open a cursor") }
    unsafe pointer = unsafe cursor
    self.table = table
    self.range = range
    isBounded = range.upper != nil
    self.access = access
  }

  deinit { unsafe mdb_cursor_close(pointer) }

  /// The bytes of the key it stands on.
  public var key: RawSpan {
    @_lifetime(borrow self) get {
      precondition(isPlaced, "the cursor stands on no entry")
      return unsafe _overrideLifetime(keyBytes.bytes, borrowing: self)
    }
  }

  /// The bytes of the value it stands on.
  public var value: RawSpan {
    @_lifetime(borrow self) get {
      precondition(isPlaced, "the cursor stands on no entry")
      return unsafe _overrideLifetime(valueBytes.bytes, borrowing: self)
    }
  }

  /// Goes to the next entry of the range; says whether there is one.
  ///
  /// Amortized O(1).
  @_lifetime(self: copy self)
  public mutating func next() throws(LMDBError) -> Bool {
    if isPlaced {
      try move(MDB_NEXT)
    } else if let lower = range.lower {
      try move(MDB_SET_RANGE, to: lower)
    } else {
      try move(MDB_FIRST)
    }
    return leaveUnless(isPlaced && isBelowUpper)
  }

  /// Goes to the previous entry of the range; says whether there is one.
  ///
  /// Amortized O(1).
  @_lifetime(self: copy self)
  public mutating func previous() throws(LMDBError) -> Bool {
    if isPlaced {
      try move(MDB_PREV)
    } else if let upper = range.upper {
      try moveToLast(notBehind: upper)
    } else {
      try move(MDB_LAST)
    }
    return leaveUnless(isPlaced && isAboveLower)
  }

  /// Goes to the first entry at or behind `key`, within the range; says whether there is one.
  ///
  /// O(log n).
  @_lifetime(self: copy self)
  public mutating func seek(_ key: Key) throws(LMDBError) -> Bool {
    try move(MDB_SET_RANGE, to: key.withBytes { $0.array })
    return leaveUnless(isPlaced && isBelowUpper && isAboveLower)
  }

  /// How many values the key has that it stands on.
  public func countOfValues() throws(LMDBError) -> Int {
    guard table.options.contains(.duplicates) else { return 1 }
    var count = 0
    try check(unsafe mdb_cursor_count(pointer, &count), "count values in", table.label)
    return count
  }

  /// Reads the entry again that it stands on, after a change.
  @_lifetime(self: copy self)
  mutating func reload() throws(LMDBError) { try move(MDB_GET_CURRENT) }

  @_lifetime(self: copy self)
  private mutating func leaveUnless(_ stays: Bool) -> Bool {
    isPlaced = stays
    return stays
  }

  @_lifetime(self: copy self)
  private mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) {
    var (foundKey, foundValue) = unsafe (keyBytes, valueBytes)
    let result = unsafe mdb_cursor_get(pointer, &foundKey, &foundValue, operation)
    unsafe (keyBytes, valueBytes) = unsafe (foundKey, foundValue)
    isPlaced = try found(result, "read", table.label)
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
    unsafe (keyBytes, valueBytes) = unsafe (foundKey, foundValue)
    isPlaced = try found(result, "read", table.label)
  }

  @_lifetime(self: copy self)
  private mutating func moveToLast(notBehind upper: [UInt8]) throws(LMDBError) {
    try move(MDB_SET_RANGE, to: upper)
    guard isPlaced else { return try move(MDB_LAST) }
    guard range.includesUpper, compare(to: upper) == 0 else { return try move(MDB_PREV) }
    if table.options.contains(.duplicates) { try moveToLastValue() }
  }

  /// LMDB answers a move among one key's values with the value alone.
  @_lifetime(self: copy self)
  private mutating func moveToLastValue() throws(LMDBError) {
    try move(MDB_LAST_DUP)
    try move(MDB_GET_CURRENT)
  }

  private var isBelowUpper: Bool {
    guard isBounded, let upper = range.upper else { return true }
    let order = compare(to: upper)
    return order < 0 || (order == 0 && range.includesUpper)
  }

  private var isAboveLower: Bool {
    guard let lower = range.lower else { return true }
    return compare(to: lower) >= 0
  }

  private func compare(to bound: [UInt8]) -> CInt {
    unsafe bound.withUnsafeBytes { bytes in
      var mine = unsafe keyBytes
      var other = unsafe MDB_val(bytes)
      return unsafe mdb_cmp(
        access.pointer, access.environment.handle(of: table), &mine, &other)
    }
  }
}

extension Transaction where Self: ~Copyable {
  /// A cursor over the entries of a table whose keys are in `range`.
  @_lifetime(borrow self)
  public func cursor<Key, Value>(
    over table: Table<Key, Value>, in range: KeyRange<Key> = .all
  ) throws(LMDBError) -> Cursor<Key, Value> {
    let cursor = try Cursor(access, table, range)
    return unsafe _overrideLifetime(cursor, borrowing: self)
  }
}
