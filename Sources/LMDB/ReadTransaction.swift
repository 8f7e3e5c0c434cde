import CLMDB

/// A view of the environment as it stood at one moment, whatever is written meanwhile.
///
/// It ends when it goes out of scope. It can't be copied, begun in asynchronous code, or held
/// across an `await`; spans that it lends can't outlive it. Keep it short: as long as it is open,
/// no page that was freed after it began can be used again, so the file grows with every commit,
/// and the map can't grow.
///
/// It stays on the thread that began it. A process that is suspended with one open does the same
/// harm as one that keeps it; end them before.
@safe
public struct ReadTransaction: ~Copyable, Transaction {
  package let environment: Environment
  package let pointer: OpaquePointer

  /// What reading goes through.
  public var access: TransactionAccess {
    unsafe TransactionAccess(environment: environment, pointer: unsafe pointer)
  }

  init(environment: Environment, pointer: OpaquePointer) {
    self.environment = environment
    unsafe self.pointer = unsafe pointer
  }

  deinit { unsafe environment.end(reader: pointer) }
}
