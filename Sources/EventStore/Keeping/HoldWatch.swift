import LMDB

/// Detects a reader that holds an old state of the views, so that their file grows by every page
/// written.
///
/// Uses neither disk nor clock.
package struct HoldWatch {
  /// The named limits.
  package struct Limits: Sendable {
    /// The number of commits that a reader may lag behind.
    package var lagMax: UInt64 = 4
    /// The file size, as a multiple of the size needed, above which the file is abandoned.
    var growthMax = 1.4
    /// The number of pages below which a file is never abandoned.
    package var pagesMin = 1024
    /// The number of commits between two checks of the readers.
    package var stride: UInt64 = 2
  }

  /// The state of a file after a commit.
  struct Sight {
    /// The last transaction.
    var last: UInt64
    /// The oldest transaction that a reader holds, if any.
    var oldest: UInt64?
    /// The number of pages of the file, used and free.
    var pages: Int
    /// The number of pages that the last state needs.
    var needed: Int
  }

  let limits: Limits
  /// The number of pages at which the last attempt to abandon the file failed.
  var failedAt = 0

  init(_ limits: Limits) { self.limits = limits }

  /// Whether the file should be abandoned to the reader that holds it.
  func isHeld(_ sight: Sight) -> Bool {
    guard let oldest = sight.oldest, sight.last > oldest, sight.last - oldest > limits.lagMax
    else { return false }
    let bearable = Double(max(sight.needed, limits.pagesMin)) * limits.growthMax
    return Double(sight.pages) > max(bearable, Double(failedAt) * limits.growthMax)
  }
}

extension ViewsFile {
  /// Returns the measurements that reveal a reader holding an old state.
  ///
  /// - Complexity: O(readers + tables)
  func holdSight() throws(LMDBError) -> HoldWatch.Sight {
    let information = try environment.information
    let oldest = try environment.readers().compactMap(\.transaction).min()
    return HoldWatch.Sight(
      last: information.lastTransaction, oldest: oldest, pages: information.pages,
      needed: try pageCount)
  }
}
