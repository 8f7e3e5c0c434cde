import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What failed in LMDB or in the file system below it, on what, and how to fix it.
public struct LMDBError: Error, Sendable, Hashable {
  /// The kind of failure, for a caller to react to.
  public let code: Code

  /// The subject of the failure: the operation, and its table or path.
  public let subject: String

  package init(_ code: Code, _ subject: String) {
    self.code = code
    self.subject = subject
  }

  /// A failure from liblmdb's return code, which may also be an `errno`.
  package init(returned value: CInt, _ subject: String) {
    self.init(Code(returned: value), subject)
  }

  /// A failure of an operation on a table; LMDB returns `EINVAL` for an unknown handle.
  init(returned value: CInt, _ operation: StaticString, _ table: String) {
    self.init(returned: value == EINVAL ? MDB_BAD_DBI : value, "\(operation) \(table)")
  }

  /// A failure of a commit; the system returns `EINVAL` for a page at an impossible file offset,
  /// which can only be a reused page from the free list.
  init(ofCommit value: CInt) {
    guard value == EINVAL else {
      self.init(returned: value, "commit")
      return
    }
    self.init(.corrupted, "commit to pages that the free list of data.mdb names")
  }

  /// The failure of the last system call.
  package static func lastSystemError(_ subject: String) -> LMDBError {
    LMDBError(returned: errno, subject)
  }
}

extension LMDBError: CustomStringConvertible {
  /// One sentence on what happened and one on the remedy.
  public var description: String { "\(subject): \(code.meaning). \(code.remedy)." }
}
