import LMDB

/// The differences that an edited history would make.
public struct WhatIf: Sendable, Hashable {
  /// The rows that would differ: as they are and as they would be.
  public let rows: [RowStep]
  /// The lists whose rows would differ in content, membership, or order: the actual and
  /// hypothetical numbers of rows.
  public let lists: [ListCounts]
  /// The events that would be refused but actually aren't.
  public let refused: [RefusedEvent]

  /// The number of rows in a list.
  public struct ListCounts: Sendable, Hashable {
    /// The list.
    public let list: ListName
    /// The actual number.
    public let old: Int
    /// The hypothetical number.
    public let new: Int
  }

  /// Whether nothing would differ.
  public var isEmpty: Bool { rows.isEmpty && lists.isEmpty && refused.isEmpty }
}

extension Replay {
  /// Returns the differences that an edited history would make after a record.
  ///
  /// The replay ends up after that record. Values that only reducers see are not compared.
  ///
  /// - Complexity: As folding the records after the last snapshot before the first edit, twice.
  /// - Throws: ``StoreError``.
  public func whatIf(
    _ edited: EditedLog, at number: RecordNumber
  ) throws(StoreError) -> WhatIf {
    do {
      let (mine, theirs) = (EventWitness(.names), EventWitness(.names))
      try advance(to: min(edited.start, number))
      let other = try Replay(
        beginningOf: log, definitions, from: snapshots, before: min(edited.start, number),
        progress: mayGoOn)
      defer { other.end() }
      try other.goOn(to: min(edited.start, number))
      show(to: mine)
      defer { show(to: nil) }
      try goOn(to: number)
      other.show(to: theirs)
      try other.fold(edited, through: number)
      return try differences(
        from: other, names(mine).merging(other.names(theirs)) { $0.union($1) },
        refused(by: other, edited.numbering(through: number)))
    } catch {
      throw StoreError(error, path: log.path)
    }
  }

  /// Releases the underlying snapshot.
  private func end() {
    if let base = workspace.base { snapshots?.leave(base.reader) }
  }

  /// Folds the edited history.
  private func fold(_ edited: EditedLog, through last: RecordNumber) throws {
    var slice: [LooseRecord] = []
    try edited.forEach(through: last) { record in
      slice.append(record)
      guard slice.count >= Self.sliceMax else { return }
      try workspace.reduce(slice[...])
      slice.removeAll(keepingCapacity: true)
      let progress = Store.Progress(done: min(record.number, last), last: last)
      guard mayGoOn(progress) else { throw StoreError.cancelled }
    }
    try workspace.reduce(slice[...])
  }

  /// Returns the events that another replay, with its own numbering, refused and this one did not.
  private func refused(
    by other: Replay, _ numbers: [RecordNumber: RecordNumber]
  ) -> [RefusedEvent] {
    let known = Set(workspace.refused.map { numbers[$0.number] ?? $0.number })
    return other.workspace.refused.filter { !known.contains($0.number) }
  }

  /// The number of records folded at once.
  private static let sliceMax = 1024

  private func differences(
    from other: Replay, _ names: [UInt8: Set<RowName>], _ refused: [RefusedEvent]
  ) throws -> WhatIf {
    var (rows, lists): ([RowStep], Set<ListName>) = ([], [])
    for (place, names) in names.sorted(by: { $0.key < $1.key }) {
      let collection = definitions.collections[Int(place)]
      for id in names.sorted().map(\.id) {
        let (old, new) = (try row(id, in: collection), try other.row(id, in: collection))
        guard let step = RowStep(collection, old: old, new: new) else { continue }
        rows.append(step)
        for plan in definitions.plans where plan.definition.collection == collection {
          for row in [old, new].compactMap(\.self) { lists.formUnion(plan.lists(of: row)) }
        }
      }
    }
    let counts = try lists.sorted { $0.description < $1.description }.map { list in
      WhatIf.ListCounts(
        list: list, old: try count(of: list), new: try other.count(of: list))
    }
    return WhatIf(rows: rows, lists: counts, refused: refused)
  }

  /// Returns the touched rows, by collection place.
  private func names(_ witness: EventWitness) throws -> [UInt8: Set<RowName>] {
    var names: [UInt8: Set<RowName>] = [:]
    for handle in witness.handles {
      let shelf = workspace.state.shelves[Int(handle.collection)]
      let id = try shelf.table.withRow(handle.row) { $0?.id.text }
      if let id = id ?? nil { names[handle.collection, default: []].insert(RowName(id)) }
    }
    return names
  }
}
