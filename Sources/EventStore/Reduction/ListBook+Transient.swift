import LMDB

/// Views that are not the reducer's: they follow the reducer's own, at places chosen by the caller,
/// exist only in memory, and are neither journaled nor committed.
extension ListBook {
  /// Adds a view at a place.
  mutating func add(_ view: KeptView, at place: Int) {
    while views.count <= place { append(.vacant(view.plan.definition.collection)) }
    leave(place, views[place].collection)
    replace(place, by: view)
    enter(place, view.collection)
  }

  /// Removes a view that has no subscribers left.
  mutating func vacate(_ place: Int) {
    leave(place, views[place].collection)
    replace(place, by: .vacant(views[place].plan.definition.collection))
  }

  /// Removes the matching views among those that are not the reducer's own.
  mutating func vacateAll(where isGone: (Int) -> Bool) {
    for place in views.indices.dropFirst(keptCount) where isGone(place) { vacate(place) }
  }

  /// Indexes up to `limit` more rows of a view's collection; returns whether its index then covers
  /// all of them.
  ///
  /// Between slices, changes to rows already indexed are noted as for other views.
  ///
  /// - Complexity: O(rows + m log n) for m entries among them.
  mutating func buildSlice(_ place: Int, _ shelf: Shelf, atMost limit: Int) throws -> Bool {
    let view = views[place]
    guard !view.isBuilt else { return true }
    let last = shelf.table.totals.lastID
    let end = UInt32(min(Int(view.builtThrough) + limit, Int(last)))
    var listed = SliceEntries(of: view.plan)
    for id in view.builtThrough..<end { try listed.add(RowID(rawValue: id + 1), on: shelf) }
    let operations = listed.sorted
    var ties = KeyTies(UInt16(place), view.plan, shelf, NetTable(), listed.keys)
    try view.index.apply(operations.span, &ties)
    view.index.hash &+= listed.hash
    view.builtThrough = end == last ? .max : end
    noteReach(of: place)
    return view.isBuilt
  }

  /// Restarts indexes under construction, since the changed rows are unknown.
  mutating func restartBuilding(ofCollection collection: UInt8) {
    for place in listeners[Int(collection)].map(\.place) {
      let view = views[Int(place)]
      guard view.builtThrough > 0, !view.isBuilt else { continue }
      _ = nets.remove(view: place)
      view.restart()
      noteReach(of: Int(place))
    }
  }
}

/// The entries of a view for some rows, ready for insertion into its index.
private struct SliceEntries {
  private let plan: ViewPlan
  private(set) var keys = KeyBuffer()
  /// The sum of the hashes of the keys.
  private(set) var hash: UInt64 = 0
  private var operations: [IndexOperation<Range<Int>>] = []
  private var groups: [UInt64] = []

  init(of plan: ViewPlan) { self.plan = plan }

  /// Adds the entries of a row if the row is in the view.
  mutating func add(_ id: RowID, on shelf: Shelf) throws(RowError) {
    try shelf.table.withRow(id) { row in
      guard let row, plan.matches(row) else { return }
      groups.removeAll(keepingCapacity: true)
      plan.appendGroups(of: row, to: &groups)
      for group in groups {
        let key = plan.appendKey(of: row, in: group, to: &keys)
        operations.append(.insert(plan.words(in: keys.bytes(at: key)), id, token: key))
        hash &+= Mixer.hash(keys.bytes(at: key))
      }
    }
  }

  /// The insertions in index order.
  var sorted: [IndexOperation<Range<Int>>] {
    let order = WordOrder(count: operations.count) {
      operations[$0].words
    } _: { left, right in
      let (left, right) = (operations[left].token, operations[right].token)
      return plan.compare(keys.bytes(at: left), keys.bytes(at: right)) < 0
    }
    return order.sorted(operations)
  }
}
