/// Decides, under the log's write lock, which of the files that were read become records.
///
/// A file is drained once because of an order that every drain keeps to: it is remembered in the
/// transaction that appends it, removed after that, and forgotten once it is known to be gone. So
/// one that is neither remembered nor gone was never drained.
package struct SpoolPlan: Hashable {
  /// The files to append, in order.
  package let appended: Set<String>
  /// The files to remember from now on.
  package let remembered: [String]

  /// - Parameters:
  ///   - read: The files that were read, in order; before the lock was taken, so others may have
  ///     drained them since.
  ///   - remembered: What the store's record remembers as drained.
  ///   - removed: Files of which this process has made certain that they are gone.
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
