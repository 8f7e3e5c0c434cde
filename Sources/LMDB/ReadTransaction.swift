import CLMDB

/// A view of the environment at one moment, unaffected by later writes.
///
/// It ends when it leaves scope. It can't be copied, stored, begun in asynchronous code, or held
/// across an `await`, and spans that it lends can't outlive it. Keep it short: while it is open, no
/// page freed after it began can be reused, so the file grows with every commit, and the map can't
/// grow. A thread may have several.
///
/// A transaction that stays open while its process is suspended is as harmful, so end it before.
@safe
public struct ReadTransaction: ~Copyable, ~Escapable, Transaction {
  let environment: Environment
  let pointer: OpaquePointer
  private let visit: Gate.Visit

  /// The access for reading.
  public var access: TransactionAccess {
    @_lifetime(borrow self) get {
      let access = unsafe TransactionAccess(environment, pointer)
      return unsafe _overrideLifetime(access, borrowing: self)
    }
  }

  @_lifetime(immortal)
  init(environment: Environment) throws(LMDBError) {
    unsafe (pointer, visit) = try environment.beginReader()
    self.environment = environment
  }

  deinit { unsafe environment.end(pointer, visit) }
}
