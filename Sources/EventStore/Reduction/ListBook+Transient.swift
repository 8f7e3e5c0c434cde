import LMDB

/// Views that are not the reducer's: they stand behind those that are, at places of the caller's
/// choice, are in memory alone, and nothing of them is journaled or committed.
extension ListBook {
  /// Puts a view in.
  mutating func add(_ view: KeptView, at place: Int) {
    while views.count <= place { append(.vacant(view.plan.definition.collection)) }
    leave(place, views[place].collection)
    replace(place, by: view)
    enter(place, view.collection)
  }

  /// Forgets a view that nobody looks at any more.
  mutating func vacate(_ place: Int) {
    leave(place, views[place].collection)
    replace(place, by: .vacant(views[place].plan.definition.collection))
  }

  /// Forgets the views behind the reducer's own of which it is said so.
  mutating func vacateAll(where isGone: (Int) -> Bool) {
    for place in views.indices.dropFirst(keptCount) where isGone(place) { vacate(place) }
  }

  /// Looks through so many more rows of a view's collection; says whether its index is of all of
  /// them then.
  ///
  /// In between what happens to rows that were looked through is noted as for other views.
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

  /// Has indexes that are being built begin anew, as it is not known which rows changed.
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

/// The entries of a view among some rows, to be put into its index.
private struct SliceEntries {
  private let plan: ViewPlan
  private(set) var keys = KeyBuffer()
  /// The sum of their keys' hashes.
  private(set) var hash: UInt64 = 0
  private var operations: [IndexOperation<Range<Int>>] = []
  private var groups: [UInt64] = []

  init(of plan: ViewPlan) { self.plan = plan }

  /// Adds the entries of a row, where it is in the view.
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

  /// What puts them in, in their order.
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
