import LMDB

/// The first rows of lists as the previous process last showed them.
///
/// While nothing was reduced since, these rows equal those in the views, and needn't be looked up
/// one by one. The rows of a list ordered by date are scattered over the views' file, and each
/// costs a disk read unless the system caches it; these are in one small file.
struct RowsAtHand {
  private var lists: [ListID: [[UInt8]]] = [:]

  /// Reads the rows in a folder's first screen that match the open views in their present state;
  /// `nil` if there are none.
  ///
  /// - Complexity: O(*n*) in its bytes, of which there are few.
  init?(
    in folder: Folder, log: Log, _ generation: Generation, _ views: ArraySlice<KeptView>,
    _ applied: LogPoint
  ) {
    let screen = FirstScreen.read(in: folder, store: log.store, incarnation: log.incarnation)
    for (place, view) in views.enumerated() where view.isBuilt {
      let (name, hash) = (view.plan.definition.name, view.plan.hash)
      for entry in screen.entries where entry.key.view == name && entry.key.plan == hash {
        let window = entry.window
        guard window.applied == applied, window.generation == generation.number else {
          continue
        }
        lists[ListID(view: place, group: window.group)] = window.rows
      }
    }
    if lists.isEmpty { return nil }
  }

  /// The first list, ordered by view and group, and the id of its first row.
  var first: (list: ListID, id: String)? {
    let list = lists.keys.min { ($0.view, $0.group) < ($1.view, $1.group) }
    guard let list, let row = self[list, 0, count: 1]?.first else { return nil }
    return (list, row.id)
  }

  /// Returns `count` rows of a list from an index on; `nil` if not all of them are here, or one is
  /// damaged.
  ///
  /// - Complexity: O(*n*) in the rows' bytes.
  subscript(list: ListID, start: Int, count count: Int) -> [Row]? {
    guard let rows = lists[list], start + count <= rows.count else { return nil }
    let known = rows[start..<(start + count)].compactMap { Row(checking: $0) }
    return known.count == count ? known : nil
  }
}
