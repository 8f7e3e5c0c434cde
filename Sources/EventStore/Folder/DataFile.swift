package import LMDB

/// What is found in place of a generation's data file, by looking only: it is not mapped.
package enum DataFile: Hashable, Sendable {
  /// Nothing.
  case missing
  /// A file that LMDB could not open.
  case damaged(LMDBError.Code)
  /// A file that LMDB can open; whether what it holds is whole does not show.
  case sound(File.Identity, transaction: UInt64)

  /// Looks at the data file in a generation's folder.
  ///
  /// - Complexity: O(1); where the file is cut off, O(*n*) in its pages.
  /// - Throws: What the system fails with, other than that nothing is there.
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
