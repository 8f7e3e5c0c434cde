import LMDB

/// The first rows of lists as the process before showed them last: while nothing was reduced since,
/// they are what the views hold, and need not be looked for one by one.
///
/// Rows of a list that is ordered by dates lie scattered over the views' file, and each costs a
/// look at the disk where the system doesn't hold it in memory; these lie in one small file.
struct RowsAtHand {
  private var lists: [ListID: [[UInt8]]] = [:]

  /// The rows that a folder's first screen has of views that are open, and that it has as these are
  /// now; `nil` where there are none.
  ///
  /// - Complexity: O(*n*) in its bytes, of which there are few.
  init?(
    in folder: Folder, log: Log, _ generation: Generation, _ views: ArraySlice<KeptView>,
    _ applied: Applied
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

  /// The first of the lists, by its view and group, and the id of the first row that it shows.
  var first: (list: ListID, id: String)? {
    let list = lists.keys.min { ($0.view, $0.group) < ($1.view, $1.group) }
    guard let list, let row = self[list, 0, count: 1]?.first else { return nil }
    return (list, row.id)
  }

  /// So many rows of a list from an index on, or `nil` where not all of them are here, or one is
  /// damaged.
  ///
  /// - Complexity: O(*n*) in the rows' bytes.
  subscript(list: ListID, start: Int, count count: Int) -> [Row]? {
    guard let rows = lists[list], start + count <= rows.count else { return nil }
    let known = rows[start..<(start + count)].compactMap { Row(checking: $0) }
    return known.count == count ? known : nil
  }
}
