extension Replay {
  /// Returns the net change to each row between two records, ordered by collection and id, for all
  /// collections or one.
  ///
  /// The replay ends up at the later record.
  ///
  /// - Complexity: As folding the records between, with memory for the rows that they touched.
  /// - Throws: ``StoreError``.
  /// - Precondition: `start` is not after `end`.
  public func rowChanges(
    in collection: RowCollection? = nil, from start: RecordNumber, to end: RecordNumber
  ) throws(StoreError) -> [RowStep] {
    precondition(start <= end, "from \(start) to \(end) is backwards")
    let place = collection.map { workspace.state.place(of: $0) }
    try advance(to: start)
    let witness = EventWitness(.net) { found, _ in place.map { $0 == found } ?? true }
    show(to: witness)
    defer { show(to: nil) }
    try goOn(to: end)
    return rowSteps(witness).sorted()
  }

  /// Returns how the rows of another replay, of another store or of the same log under other rules,
  /// differ from those of this one, ordered by collection and id.
  ///
  /// - Complexity: O(rows of both)
  /// - Throws: ``StoreError``.
  /// - Precondition: Both have the same collections.
  public func differences(from other: Replay) throws(StoreError) -> [RowStep] {
    var steps: [RowStep] = []
    for collection in collections {
      var names: Set<RowName> = []
      try foldedRows.forEachRow(of: collection) { names.insert(RowName($1.name)) }
      try other.foldedRows.forEachRow(of: collection) { names.insert(RowName($1.name)) }
      for id in names.sorted().map(\.id) {
        let (old, new) = (try row(id, in: collection), try other.row(id, in: collection))
        if let step = RowStep(collection, old: old, new: new) { steps.append(step) }
      }
    }
    return steps
  }
}

extension [RowStep] {
  fileprivate func sorted() -> [RowStep] {
    map { (step: $0, name: RowName($0.id)) }
      .sorted { ($0.step.collection.number, $0.name) < ($1.step.collection.number, $1.name) }
      .map(\.step)
  }
}
