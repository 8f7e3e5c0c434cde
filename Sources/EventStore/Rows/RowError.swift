public import LMDB

/// The reason why a row can't be read or changed.
public enum RowError: Error, Hashable, Sendable {
  /// The row would exceed the size limit; it is unchanged.
  case tooLarge(bytes: Int, limit: Int)
  /// The external id is empty or too long.
  case idLength(bytes: Int, limit: Int)
  /// The views' file can't be read or differs from what was written: drop and rebuild it.
  case storage(LMDBError)
}

extension RowError: CustomStringConvertible {
  /// The problem and its remedy.
  public var description: String {
    switch self {
    case .tooLarge(let bytes, let limit):
      "A row of \(bytes) bytes exceeds the limit of \(limit). Keep long text in the log."
    case .idLength(let bytes, let limit):
      "An external id has \(bytes) bytes, not 1 to \(limit). Use a shorter id, or a digest."
    case .storage(let error): error.description
    }
  }
}
