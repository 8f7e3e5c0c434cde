import LMDB

/// Telling who looks what a batch did.
extension Workspace {
  /// Delivers what the batch did to the lists that somebody looks at.
  func deliver(from start: Position) throws {
    for (list, places) in watchedNets() {
      guard let audience = hub.audience(of: list) else { continue }
      try deliver(places, of: list, to: audience)
    }
  }

  /// The nets of the batch in lists that somebody looks at.
  private func watchedNets() -> [ListID: [Int]] {
    var places: [ListID: [Int]] = [:]
    let nets = state.lists.nets.nets
    for place in nets.indices where hub.isWatched(Int(nets[place].view)) {
      let list = ListID(view: Int(nets[place].view), group: nets[place].group)
      if hub.audience(of: list) != nil { places[list, default: []].append(place) }
    }
    return places
  }

  private func deliver(_ places: [Int], of list: ListID, to audience: Hub.Audience) throws {
    let entries = try places.compactMap { try entry(state.lists.nets.nets[$0], list.view) }
    guard !entries.isEmpty else { return }
    let ranks = try state.lists.ranks(list.view, group: list.group)
    var reader = ListReader(
      self, list.view, ranks, .batch, state.lists.nets, state.lists.changes.keys)
    var delta = ListDelta(entries, in: reader)
    for id in try lookers(touchedBy: &delta, audience, &reader) {
      guard let looker = hub.lookers[id] else { continue }
      let set = try delta.changeSet(
        in: looker.window, from: looker.position, to: position, reading: &reader)
      if let set { looker.take(set) }
    }
  }

  /// What a net means to who looks; `nil` where it came to nothing.
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

  /// What the batch changed in a row that was there before it.
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

  /// Whose windows may show something of it.
  private func lookers(
    touchedBy delta: inout ListDelta<Range<Int>>, _ audience: Hub.Audience,
    _ reader: inout ListReader
  ) throws -> [UInt64] {
    var touched: [UInt64] = []
    guard audience.windows.count > Self.fewWindows else {
      audience.windows.forEach { touched.append($0) }
      return touched
    }
    let reach = try delta.reach(below: audience.reach, in: &reader)
    audience.windows.forEach(meeting: reach.ranks) { touched.append($0) }
    guard reach.isCountChanged else { return touched }
    return Array(audience.counters.union(touched))
  }

  /// So many windows are asked without finding out first whether they are touched.
  private static let fewWindows = 4
}

extension RowDifference {
  /// What tells a row as it was from the same row as it is.
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
