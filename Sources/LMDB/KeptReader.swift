import CLMDB

/// A read transaction that its owner keeps between uses, and moves on when it likes.
///
/// Whoever keeps one open holds back the reuse of pages and the growth of the map, as every reader
/// does: ``end()`` it before the map must grow, and ``renew()`` it after each commit. It is not
/// for two threads at once; one after the other may use it.
@safe
package final class KeptReader {
  private let environment: Environment
  private var kept: (pointer: OpaquePointer, visit: Gate.Visit)?
  private var uses = 0
  /// The number of the state that is read, or is going to be: another for each it goes over to.
  package private(set) var state = 0
  /// A cursor for each table that was asked through one, by the tables' numbers.
  private var cursors: [OpaquePointer?] = unsafe []

  /// A reader of an environment, not begun yet.
  package init(_ environment: Environment) { self.environment = environment }

  deinit { end() }

  /// Calls `body` with the state that was current when the reader began, which it does here if it
  /// has not.
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

  /// Lets go of the state; the next use begins with the one that is current then.
  package func end() {
    precondition(uses == 0, "the reader is in use")
    guard let (pointer, visit) = unsafe kept else { return }
    unsafe cursors.forEach { unsafe mdb_cursor_close($0) }
    unsafe cursors.removeAll(keepingCapacity: true)
    unsafe kept = nil
    state += 1
    unsafe environment.end(pointer, visit)
  }

  /// Goes over to the current state.
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

  /// The cursor that is kept in a table.
  private func cursor(
    _ table: MDB_dbi, _ transaction: OpaquePointer
  ) throws(LMDBError) -> OpaquePointer? {
    while unsafe cursors.count <= Int(table) { unsafe cursors.append(nil) }
    if let cursor = unsafe cursors[Int(table)] { return unsafe cursor }
    var opened: OpaquePointer?
    try check(unsafe mdb_cursor_open(transaction, table, &opened), "open a cursor")
    unsafe cursors[Int(table)] = unsafe opened
    return unsafe opened
  }

  /// What LMDB returns for a key, and the bytes of its value, by a cursor that stays where it was.
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

  /// What a kept reader lends for the time of a call.
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

    /// What reading goes through.
    package var access: TransactionAccess {
      @_lifetime(borrow self) get {
        let access = unsafe TransactionAccess(environment, pointer)
        return unsafe _overrideLifetime(access, borrowing: self)
      }
    }

    /// The bytes that a number stands for, as ``bytes(for:in:)`` gives them.
    ///
    /// O(1) where they lie on the page of the number that was asked for last, as those of a number
    /// that is asked for again and again do; O(log n) elsewhere.
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
