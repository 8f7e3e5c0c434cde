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
    return try body(unsafe Loan(environment, pointer))
  }

  /// Lets go of the state; the next use begins with the one that is current then.
  package func end() {
    precondition(uses == 0, "the reader is in use")
    guard let (pointer, visit) = unsafe kept else { return }
    unsafe kept = nil
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

  /// What a kept reader lends for the time of a call.
  @safe
  package struct Loan: ~Copyable, ~Escapable, Transaction {
    private let environment: Environment
    private let pointer: OpaquePointer

    @_lifetime(immortal)
    fileprivate init(_ environment: Environment, _ pointer: OpaquePointer) {
      self.environment = environment
      unsafe self.pointer = unsafe pointer
    }

    /// What reading goes through.
    package var access: TransactionAccess {
      @_lifetime(borrow self) get {
        let access = unsafe TransactionAccess(environment, pointer)
        return unsafe _overrideLifetime(access, borrowing: self)
      }
    }
  }
}
