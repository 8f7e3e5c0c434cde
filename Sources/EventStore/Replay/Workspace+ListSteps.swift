import LMDB

/// Reporting what an event did to lists, while that is still known, to callers that walk through
/// the past.
extension Workspace {
  /// Returns the changes to lists by the batch, which is one event, ordered by view and then by
  /// group.
  ///
  /// If the batch's changes to a view are unknown because it touched so many rows, each list that
  /// contains or contained a row the witness saw gets its whole current content. Rows that the
  /// witness holds are not built again.
  ///
  /// - Complexity: O(k log k + k log n) for k entries, updates, and exits of rows in lists.
  func listSteps(since start: Position, seenBy witness: EventWitness) throws -> [ListStep] {
    let (news, places) = (news, netsByList)
    var steps: [ListStep] = []
    let lists = try touchedLists(places, of: news.nets.nets, seenBy: witness)
    steps.reserveCapacity(lists.count)
    for list in lists {
      if isUpset(list.id.view) {
        let change = try reset(of: list.id, .all, since: start)
        steps.append(ListStep(list: list.name, change: change))
      } else if var (delta, reader) = try delta(of: list.id, by: places[list.places], news) {
        reader.witness = witness
        let change = try delta.changeSet(in: .all, from: start, to: position, reading: &reader)
        if let change { steps.append(ListStep(list: list.name, change: change)) }
      }
    }
    return steps
  }

  /// A list that the batch changed.
  private struct TouchedList {
    let id: ListID
    let name: ListName
    /// The range of the list's nets in ``netsByList``.
    let places: Range<Int>
  }

  /// The places of the batch's nets, grouped by list and ordered by view.
  private var netsByList: [Int] {
    let nets = state.lists.nets.nets
    return nets.indices.sorted { left, right in
      let (a, b) = (nets[left], nets[right])
      if a.view != b.view { return a.view < b.view }
      return a.group == b.group ? left < right : a.group < b.group
    }
  }

  private func touchedLists(
    _ places: [Int], of nets: [Net], seenBy witness: EventWitness
  ) throws -> [TouchedList] {
    var (lists, start) = ([] as [TouchedList], 0)
    lists.reserveCapacity(places.count)
    for end in 1..<(places.count + 1) {
      let id = nets[places[start]].list
      if end < places.count, nets[places[end]].list == id { continue }
      if let name = try name(of: nets[places[start]]) {
        lists.append(TouchedList(id: id, name: name, places: start..<end))
      }
      start = end
    }
    for view in state.lists.upset { lists += upsetLists(of: Int(view), seenBy: witness) }
    return lists.count > 1 ? lists.sorted(by: Self.precedes) : lists
  }

  private static func precedes(_ left: TouchedList, _ right: TouchedList) -> Bool {
    left.id.view == right.id.view
      ? left.name.precedes(right.name) : left.id.view < right.id.view
  }

  /// Returns the lists of a view that contain or contained rows a witness saw.
  private func upsetLists(of view: Int, seenBy witness: EventWitness) -> [TouchedList] {
    let (plan, collection) = (plan(of: view), state.lists.views[view].collection)
    var names: Set<ListName> = []
    for sight in witness.sights where sight.place == collection {
      if let old = sight.old { names.formUnion(plan.lists(of: old)) }
      if let new = sight.new { names.formUnion(plan.lists(of: new)) }
    }
    return names.map { name in
      TouchedList(id: ListID(view: view, group: plan.word(of: name)), name: name, places: 0..<0)
    }
  }

  /// Returns the name of a net's list, from its row's current values or, if it left the list, its
  /// earlier ones; `nil` if no visible value names the list.
  private func name(of net: Net) throws -> ListName? {
    let view = Int(net.view)
    let (plan, shelf) = (plan(of: view), shelf(of: view))
    let name = { (row: RowView?) -> ListName? in
      guard let row else { return nil }
      return plan.list(ofGroup: net.group, with: row)
    }
    return net.new.isEmpty
      ? try shelf.table.withRowAtBatchStart(net.row, name)
      : try shelf.table.withRow(net.row, name)
  }
}

extension Net {
  fileprivate var list: ListID { ListID(view: Int(view), group: group) }
}
