import LMDB

/// The entries that a view's index must have by the rows there are, in no order, and the sum of
/// their keys' hashes.
struct ListedEntries {
  let entries: [IndexEntry]
  let hash: UInt64

  /// Those of a view.
  ///
  /// - Complexity: O(rows + entries)
  init(of plan: ViewPlan, on shelf: Shelf) throws(RowError) {
    var (groups, keys): ([UInt64], KeyBuffer) = ([], KeyBuffer())
    var (entries, hash): ([IndexEntry], UInt64) = ([], 0)
    try shelf.table.forEachRow { id, row in
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
