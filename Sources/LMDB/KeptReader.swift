import CLMDB

/// A read transaction that its owner keeps between uses, and renews at will.
///
/// While open, it prevents the reuse of pages and the growth of the map, as every reader does:
/// ``end()`` it before the map must grow, and ``renew()`` it after each commit. Threads may use it
/// one after another, but not concurrently.
@safe
package final class KeptReader {
  private let environment: Environment
  private var kept: (pointer: OpaquePointer, visit: Gate.Visit)?
  private var uses = 0
  /// The number of the current or next state; every switch to a new state increments it.
  package var state: Int { switches.value }
  private let switches = Cell(0)
  /// The cursor of each table that was read through one, by table number.
  private let cursors = unsafe Cell<[OpaquePointer?]>([])

  /// A reader that has not begun yet.
  package init(_ environment: Environment) { self.environment = environment }

  deinit { end() }

  /// Calls `body` with the state that was current when the reader began; begins the reader if
  /// necessary.
  ///
  /// - Throws: What `body` throws, and what ``Environment/read(_:)`` does.
  package func read<R: ~Copyable>(
    _ body: (borrowing Loan) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    let pointer = unsafe try begun()
    uses += 1
    defer { uses -= 1 }
    return try body(unsafe Loan(self, environment, pointer))
  }

  /// Releases the state; the next use begins with the then current one.
  package func end() {
    precondition(uses == 0, "the reader is in use")
    guard let (pointer, visit) = unsafe kept else { return }
    unsafe cursors.value.forEach { unsafe mdb_cursor_close($0) }
    unsafe cursors.value.removeAll(keepingCapacity: true)
    unsafe kept = nil
    switches.value += 1
    unsafe environment.end(pointer, visit)
  }

  /// Switches to the current state.
  package func renew() throws(LMDBError) {
    end()
    _ = unsafe try begun()
  }

  private func begun() throws(LMDBError) -> OpaquePointer {
    if let kept = unsafe kept { return unsafe kept.pointer }
    let (pointer, visit) = unsafe try environment.beginReader()
    unsafe kept = unsafe (pointer, visit)
    return unsafe pointer
  }

  /// Returns the kept cursor of a table, opening it if necessary.
  private func cursor(
    _ table: MDB_dbi, _ transaction: OpaquePointer
  ) throws(LMDBError) -> OpaquePointer? {
    while unsafe cursors.value.count <= Int(table) { unsafe cursors.value.append(nil) }
    if let cursor = unsafe cursors.value[Int(table)] { return unsafe cursor }
    var opened: OpaquePointer?
    try check(unsafe mdb_cursor_open(transaction, table, &opened), "open a cursor")
    unsafe cursors.value[Int(table)] = unsafe opened
    return unsafe opened
  }

  /// Returns LMDB's result for a key and the bytes of its value, through a cursor that keeps its
  /// place.
  fileprivate func seek(
    _ key: UInt64, _ table: MDB_dbi, _ transaction: OpaquePointer
  ) throws(LMDBError) -> (result: CInt, UnsafeRawBufferPointer) {
    let cursor = unsafe try cursor(table, transaction)
    var (number, value) = unsafe (key, MDB_val())
    let result = unsafe withUnsafeMutableBytes(of: &number) { bytes in
      var key = unsafe MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      return unsafe mdb_cursor_get(cursor, &key, &value, MDB_SET)
    }
    return unsafe (result, value.buffer)
  }

  /// A kept reader's state, lent for the duration of a call.
  @safe
  package struct Loan: ~Copyable, ~Escapable, Transaction {
    private unowned(unsafe) let reader: KeptReader
    private unowned(unsafe) let environment: Environment
    private let pointer: OpaquePointer

    @_lifetime(immortal)
    fileprivate init(
      _ reader: KeptReader, _ environment: Environment, _ pointer: OpaquePointer
    ) {
      unsafe self.reader = reader
      unsafe self.environment = environment
      unsafe self.pointer = unsafe pointer
    }

    /// The access for reading.
    package var access: TransactionAccess {
      @_lifetime(borrow self) get {
        let access = unsafe TransactionAccess(environment, pointer)
        return unsafe _overrideLifetime(access, borrowing: self)
      }
    }

    /// Returns the bytes of a number's value, as ``bytes(for:in:)`` does.
    ///
    /// O(1) if the value is on the same page as the last one, as for repeated reads of a number;
    /// otherwise O(log n).
    @_lifetime(borrow self)
    package func bytes(
      near key: UInt64, in table: Table<UInt64, [UInt8]>
    ) throws(LMDBError) -> RawSpan? {
      let number = unsafe environment.number(of: table.handle)
      let (result, bytes) = try unsafe reader.seek(key, number, pointer)
      if result != 0, try found(result, "get from", table) == false { return nil }
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
    }
  }
}
