import LMDB

/// The unordered entries of a view's index for the current rows, or for those from a number on, and
/// the sum of their keys' hashes.
struct ListedEntries {
  private(set) var entries: [IndexEntry] = []
  private(set) var hash: UInt64 = 0

  /// Collects the entries of the current rows or, within an event, of the rows before it.
  ///
  /// - Complexity: O(rows + entries)
  init(
    of plan: ViewPlan, on shelf: Shelf, from first: UInt32 = 1, isWithinEvent: Bool = false
  ) throws(RowError) {
    var (groups, keys): ([UInt64], KeyBuffer) = ([], KeyBuffer())
    var (entries, hash): ([IndexEntry], UInt64) = ([], 0)
    try shelf.forEachRow(from: first, beforeEvent: isWithinEvent) { id, row in
      guard plan.matches(row) else { return }
      groups.removeAll(keepingCapacity: true)
      plan.appendGroups(of: row, to: &groups)
      for group in groups {
        keys.remove()
        let key = plan.appendKey(of: row, in: group, to: &keys)
        entries.append(IndexEntry(plan.words(in: keys.bytes(at: key)), id))
        hash &+= Mixer.hash(keys.bytes(at: key))
      }
    }
    (self.entries, self.hash) = (entries, hash)
  }
}
