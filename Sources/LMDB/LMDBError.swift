import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What went wrong in LMDB or in the file system under it, to what, and what to do about it.
public struct LMDBError: Error, Sendable, Hashable {
  /// The kind of failure, for a caller to react to.
  public let code: Code

  /// What it happened to: the operation, and the table or path it was for.
  public let subject: String

  package init(_ code: Code, _ subject: String) {
    self.code = code
    self.subject = subject
  }

  /// A failure from liblmdb's return code, which may also be an `errno`.
  package init(returned value: CInt, _ subject: String) {
    self.init(Code(returned: value), subject)
  }

  /// A failure of an operation on a table, where LMDB says `EINVAL` for a handle that it doesn't
  /// know.
  init(returned value: CInt, _ operation: StaticString, _ table: String) {
    self.init(returned: value == EINVAL ? MDB_BAD_DBI : value, "\(operation) \(table)")
  }

  /// A failure of a commit, where the system says `EINVAL` for a page that lies where no file has
  /// one: such a page can only be from the free list, of those that are used again.
  init(ofCommit value: CInt) {
    guard value == EINVAL else {
      self.init(returned: value, "commit")
      return
    }
    self.init(.corrupted, "commit to pages that the free list of data.mdb names")
  }

  /// The failure of the system call that was just made.
  package static func lastSystemError(_ subject: String) -> LMDBError {
    LMDBError(returned: errno, subject)
  }
}

extension LMDBError: CustomStringConvertible {
  /// One sentence on what happened and one on the remedy.
  public var description: String { "\(subject): \(code.meaning). \(code.remedy)." }
}
