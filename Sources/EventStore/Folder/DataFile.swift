package import LMDB

/// The state of a generation's data file, found by inspection without mapping it.
package enum DataFile: Hashable, Sendable {
  /// No file exists.
  case missing
  /// A file that LMDB could not open.
  case damaged(LMDBError.Code)
  /// A file that LMDB can open, though its content may still be incomplete.
  case sound(File.Identity, transaction: UInt64)

  /// Inspects the data file in a generation's folder.
  ///
  /// - Complexity: O(1); O(*n*) in pages if the file is truncated.
  /// - Throws: Any system error, except that the file is missing.
  package init(in folder: Folder) throws(LMDBError) {
    let path = folder.path(of: Environment.dataFile)
    do throws(LMDBError) {
      guard let identity = try folder.identity(of: Environment.dataFile) else {
        self = .missing
        return
      }
      self = .sound(identity, transaction: try PageFile.examine(path).meta.transaction)
    } catch {
      switch error.code {
      case .missing: self = .missing
      case .invalid, .versionMismatch, .truncated, .corrupted, .pageNotFound, .undecodable:
        self = .damaged(error.code)
      default: throw error
      }
    }
  }
}
