import CLMDB

/// A view of the environment as it stood at one moment, whatever is written meanwhile.
///
/// It ends when it goes out of scope. It can't be copied, stored, begun in asynchronous code, or
/// held across an `await`; spans that it lends can't outlive it. Keep it short: as long as it is
/// open, no page that was freed after it began can be used again, so the file grows with every
/// commit, and the map can't grow. A thread may have several.
///
/// A process that is suspended with one open does the same harm as one that keeps it; end them
/// before.
@safe
public struct ReadTransaction: ~Copyable, ~Escapable, Transaction {
  let environment: Environment
  let pointer: OpaquePointer
  private let visit: Gate.Visit

  /// What reading goes through.
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
