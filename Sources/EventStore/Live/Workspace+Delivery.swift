import LMDB

/// Telling observers what a batch did.
extension Workspace {
  /// Delivers what the batch did to observed lists and rows.
  func deliver() throws {
    try deliverLists()
    try deliverRows()
  }

  private func deliverLists() throws {
    for view in state.lists.upset where hub.isWatched(Int(view)) {
      try resetLookers { $0.view == Int(view) }
    }
    let news = news
    // One array serves all views and batches: most batches bring one change, which allocates
    // little.
    var places = places
    self.places = []
    defer { self.places = places }
    for view in hub.watched.all where !isUpset(view) {
      places.removeAll(keepingCapacity: true)
      for place in news.nets.nets.indices where news.nets.nets[place].view == view {
        places.append(place)
      }
      if places.isEmpty { continue }
      if plan(of: view).isGrouped {
        try deliver(toGroupsOf: view, places, news)
      } else {
        try deliver(places, of: ListID(view: view, group: 0), news)
      }
    }
  }

  /// Whether the batch's effect on a view is unknown.
  func isUpset(_ view: Int) -> Bool { state.lists.upset.contains(UInt16(view)) }

  /// The effects of a batch, and the keys that describe them.
  struct News {
    let nets: NetTable
    let keys: KeyBuffer
  }

  var news: News { News(nets: state.lists.nets, keys: state.lists.changes.keys) }

  private func deliver(toGroupsOf view: Int, _ places: [Int], _ news: News) throws {
    if let groups = hub.watchedGroups(of: view, atMost: Self.fewGroups) {
      for group in groups {
        let places = places.filter { news.nets.nets[$0].group == group }
        if !places.isEmpty { try deliver(places, of: ListID(view: view, group: group), news) }
      }
      return
    }
    let group = { (place: Int) in news.nets.nets[place].group }
    let watched = places.filter { hub.audience(of: ListID(view: view, group: group($0))) != nil }
    let byGroup = Dictionary(grouping: watched, by: group)
    for (group, places) in byGroup {
      try deliver(places, of: ListID(view: view, group: group), news)
    }
  }

  /// The number of observed groups up to which each is matched against those that a batch touches.
  private static let fewGroups = 8

  private func deliver(_ places: [Int], of list: ListID, _ news: News) throws {
    guard let audience = hub.audience(of: list) else { return }
    guard var (delta, reader) = try delta(of: list, by: places, below: audience.reach, news)
    else { return }
    guard audience.windows.count > Self.fewWindows else {
      return try audience.windows.forEach { try tell($0, delta: &delta, &reader) }
    }
    for id in try lookers(touchedBy: &delta, audience, &reader) {
      try tell(id, delta: &delta, &reader)
    }
  }

  private func tell(
    _ id: UInt64, delta: inout ListDelta<Range<Int>>, _ reader: inout ListReader
  ) throws {
    guard let looker = hub.lookers[id] else { return }
    let set = try delta.changeSet(
      in: looker.window, from: looker.position, to: position, reading: &reader)
    if let set { looker.take(set) }
  }

  /// Returns the delta of these nets for a list's windows that end before `reach`, and the reader
  /// for it, or `nil` if the nets come to nothing.
  func delta(
    of list: ListID, by places: some Collection<Int>, below reach: Int = .max, _ news: News
  ) throws -> (ListDelta<Range<Int>>, ListReader)? {
    let ranks = try state.lists.ranks(list.view, group: list.group)
    let limit = try limit(of: reach, places.count, list.view, ranks)
    let plan = plan(of: list.view)
    var (entries, surplus): ([ListDelta<Range<Int>>.Entry], Int) = ([], 0)
    for place in places {
      let net = news.nets.nets[place]
      if let limit, isBehind(limit, net, plan, news.keys) {
        surplus += (net.new.isEmpty ? 0 : 1) - (net.old.isEmpty ? 0 : 1)
      } else if let entry = try entry(net, list.view) {
        entries.append(entry)
      }
    }
    guard !entries.isEmpty || surplus != 0 else { return nil }
    let reader = ListReader(self, list.view, ranks, .batch, news.nets, news.keys)
    return (ListDelta(entries, surplus: surplus, in: reader), reader)
  }

  /// Returns the key words beyond which nothing concerns a window that ends before `reach`: those
  /// of an entry so far after it that the batch can't have moved all rows in between.
  private func limit(
    of reach: Int, _ count: Int, _ view: Int, _ ranks: Range<Int>
  ) throws -> SortWords? {
    let (rank, isEndless) = reach.addingReportingOverflow(2 * count)
    guard !isEndless, rank < ranks.count else { return nil }
    return try state.lists.views[view].index.entry(at: ranks.lowerBound + rank).words
  }

  /// Whether a row was and is beyond a limit.
  private func isBehind(
    _ limit: SortWords, _ net: Net, _ plan: ViewPlan, _ keys: KeyBuffer
  ) -> Bool {
    if !net.old.isEmpty, !(limit < plan.words(in: keys.bytes(at: net.old))) { return false }
    if !net.new.isEmpty, !(limit < plan.words(in: keys.bytes(at: net.new))) { return false }
    return true
  }

  /// Returns the entry of a net, or `nil` if the net came to nothing.
  private func entry(_ net: Net, _ view: Int) throws -> ListDelta<Range<Int>>.Entry? {
    let old = net.old.isEmpty ? nil : net.old
    let new = net.new.isEmpty ? nil : net.new
    guard old != nil || new != nil else { return nil }
    guard let old, let new else {
      return ListDelta.Entry(row: net.row, old: old, new: new)
    }
    return ListDelta.Entry(
      row: net.row, old: old, new: new, difference: try difference(net.row, shelf(of: view)))
  }

  /// Returns what the batch changed in a row that existed before it.
  private func difference(_ id: RowID, _ shelf: Shelf) throws -> RowDifference {
    let shape = shelf.collection.shape
    var failure: RowError?
    let difference = try shelf.table.withRow(id) { now -> RowDifference in
      guard let now else { return RowDifference() }
      do throws(RowError) {
        return try shelf.table.withRowAtBatchStart(id) { before in
          guard let before else { return RowDifference() }
          return RowDifference(from: before, to: now, shape)
        }
      } catch {
        failure = error
        return RowDifference()
      }
    }
    if let failure { throw failure }
    return difference
  }

  /// Returns observers whose windows a delta may touch.
  private func lookers(
    touchedBy delta: inout ListDelta<Range<Int>>, _ audience: Hub.Audience,
    _ reader: inout ListReader
  ) throws -> [UInt64] {
    var touched: [UInt64] = []
    let reach = try delta.reach(below: audience.reach, in: &reader)
    audience.windows.forEach(meeting: reach.ranks) { touched.append($0) }
    guard reach.isCountChanged else { return touched }
    return Array(audience.counters.union(touched))
  }

  /// The number of windows up to which all are updated without finding those that are touched.
  private static let fewWindows = 4
}

extension RowDifference {
  /// Creates the difference between a row's previous and current state.
  init(from before: RowView, to now: RowView, _ shape: RowShape) {
    let fields = FieldSet(rawValue: now.changes(from: before, shape))
    var digests: [UInt64] = []
    digests.reserveCapacity(fields.count)
    fields.forEach { field in
      digests.append(shape.kind(of: field - 1).map { before.digest(of: field - 1, $0) } ?? 0)
    }
    self.init(fields: fields, digests: digests)
  }
}
