import LMDB

/// Notices a reader that holds on to an old state of the views, so that their file grows by every
/// page that is written: without a disk or a clock.
package struct HoldWatch {
  /// The named limits.
  package struct Limits: Sendable {
    /// The commits that a reader may lie behind.
    package var lagMax: UInt64 = 4
    /// The size of the file, in parts of what is needed of it, beyond which it is left behind.
    var growthMax = 1.4
    /// The pages below which a file is never left behind.
    package var pagesMin = 1024
    /// Every so many commits the readers are looked at.
    package var stride: UInt64 = 2
  }

  /// What is known of a file after a commit.
  struct Sight {
    /// The last transaction.
    var last: UInt64
    /// The oldest that a reader holds, if one does.
    var oldest: UInt64?
    /// The pages of the file, used and free.
    var pages: Int
    /// The pages that the last state needs.
    var needed: Int
  }

  let limits: Limits
  /// The pages at which the last attempt to leave the file behind failed.
  var failedAt = 0

  init(_ limits: Limits) { self.limits = limits }

  /// Whether the file is to be left to who holds on to it.
  func isHeld(_ sight: Sight) -> Bool {
    guard let oldest = sight.oldest, sight.last > oldest, sight.last - oldest > limits.lagMax
    else { return false }
    let bearable = Double(max(sight.needed, limits.pagesMin)) * limits.growthMax
    return Double(sight.pages) > max(bearable, Double(failedAt) * limits.growthMax)
  }
}

extension ViewsFile {
  /// What is to be known to notice a reader that holds on to an old state.
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
