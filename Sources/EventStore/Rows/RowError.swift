public import LMDB

/// Why a row can't be read or changed.
public enum RowError: Error, Hashable, Sendable {
  /// The row would have more bytes than a row may have; it is as it was.
  case tooLarge(bytes: Int, limit: Int)
  /// The external id is empty, or has more bytes than one may have.
  case idLength(bytes: Int, limit: Int)
  /// The views' file can't be read, or holds something else than was written: drop and rebuild it.
  case storage(LMDBError)
}

extension RowError: CustomStringConvertible {
  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .tooLarge(let bytes, let limit):
      "A row of \(bytes) bytes is over the limit of \(limit). Keep long text in the log."
    case .idLength(let bytes, let limit):
      "An external id has \(bytes) bytes, not 1 to \(limit). Use a shorter one, or a digest."
    case .storage(let error): error.description
    }
  }
}
