/// Decides, under the log's write lock, which of the files that were read become records.
///
/// Every drain keeps to one order, so each file is drained once: a file is remembered in the
/// transaction that appends it, removed afterwards, and forgotten once it is known to be gone. So a
/// file that is neither remembered nor gone was never drained.
package struct SpoolPlan: Hashable {
  /// The files to append, in order.
  package let appended: Set<String>
  /// The files to remember from now on.
  package let remembered: [String]

  /// - Parameters:
  ///   - read: The files that were read, in order. They were read before the lock was taken, so
  ///     other drains may have taken them since.
  ///   - remembered: The files that the store's record remembers as drained.
  ///   - removed: The files that this process knows to be gone.
  ///   - isThere: Whether a file is in the folder.
  package init(
    read: [String], remembered: [String], removed: Set<String>, isThere: (String) -> Bool
  ) {
    let drained = Set(remembered)
    let new = read.filter { !drained.contains($0) && isThere($0) }
    appended = Set(new)
    self.remembered = remembered.filter { !removed.contains($0) } + new
  }
}
