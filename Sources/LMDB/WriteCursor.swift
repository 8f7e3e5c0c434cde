import CLMDB

/// A cursor that can change the current entry.
///
/// Has exclusive access to the transaction while it exists. For tables without duplicates: on
/// others, LMDB 0.9.24 loses its place when it deletes repeatedly or replaces the current value, so
/// every change throws `unsupported`; remove by key and value instead.
@safe
public struct WriteCursor<Key: TableElement, Value: TableElement>: ~Copyable, ~Escapable {
  private var place: Cursor<Key, Value>

  @_lifetime(copy place)
  init(_ place: consuming Cursor<Key, Value>) { self.place = place }

  /// Whether the cursor is on an entry, so that ``key`` and ``value`` can be read.
  public var isPlaced: Bool { place.isPlaced }

  /// The bytes of the current key.
  public var key: RawSpan { @_lifetime(borrow self) get { place.key } }

  /// The bytes of the current value.
  public var value: RawSpan { @_lifetime(borrow self) get { place.value } }

  /// Moves to the next entry of the range; returns whether there is one.
  @_lifetime(self: copy self)
  public mutating func next() throws(LMDBError) -> Bool { try place.next() }

  /// Moves to the previous entry of the range; returns whether there is one.
  @_lifetime(self: copy self)
  public mutating func previous() throws(LMDBError) -> Bool { try place.previous() }

  /// Moves to the first entry at or after `key`; returns whether there is one.
  @_lifetime(self: copy self)
  public mutating func seek(_ key: Key) throws(LMDBError) -> Bool { try place.seek(key) }

  /// Replaces the current value.
  @_lifetime(self: copy self)
  public mutating func replace(with value: Value) throws(LMDBError) {
    try requirePlainTable("replace the current value in")
    let cursor = unsafe place.pointer
    let result = place.key.withCopy { key in
      value.withBytes { value in
        unsafe withValues(key, value) {
          unsafe mdb_cursor_put(cursor, $0, $1, UInt32(MDB_CURRENT))
        }
      }
    }
    try check(result, "replace in", place.table)
    try place.reload()
  }

  /// Removes the current entry; ``next()`` then moves to the entry after it, ``previous()`` to the
  /// one before.
  @_lifetime(self: copy self)
  public mutating func remove() throws(LMDBError) {
    try requirePlainTable("remove the current value from")
    precondition(place.isPlaced, "the cursor stands on no entry")
    try check(unsafe mdb_cursor_del(place.pointer, 0), "remove from", place.table)
    place.forgetEntry()
  }

  private func requirePlainTable(_ operation: StaticString) throws(LMDBError) {
    guard place.table.options.contains(.duplicates) else { return }
    throw LMDBError(.unsupported, "\(operation) \(label(place.table.name))")
  }
}

extension RawSpan {
  /// Calls `body` with a copy that stays in place whatever happens to the original.
  fileprivate func withCopy<R>(_ body: (RawSpan) -> R) -> R { unsafe body(array.span.bytes) }
}

extension WriteTransaction {
  /// Returns a cursor that can change the entries of a table whose keys are in `range`.
  @_lifetime(&self)
  public mutating func writeCursor<Key, Value>(
    over table: Table<Key, Value>, in range: KeyRange<Key> = .all
  ) throws(LMDBError) -> WriteCursor<Key, Value> {
    let cursor = WriteCursor(try Cursor(access, table, range))
    return unsafe _overrideLifetime(cursor, mutating: &self)
  }
}
