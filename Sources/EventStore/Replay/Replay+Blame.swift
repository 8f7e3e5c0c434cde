/// A record that changed a row, and the change.
public struct Blame: Sendable, Hashable {
  /// The record.
  public let record: Record
  /// The record's change to the row.
  public let change: RowStep
  /// The record's changes to the other rows under observation.
  public var others: [RowStep] = []
}

extension Replay {
  /// Returns the records, in order, that made a row what it is at the replay's position.
  ///
  /// The id must refer to the row there, or have referred to it when it was deleted. If `fields` is
  /// given, only changes to fields with those numbers count; fields that came or went with the row
  /// count as changed. If `other` is given, each result includes the record's changes to rows of
  /// that collection.
  ///
  /// For compacted history, the result contains the baseline record that holds the row.
  ///
  /// - Returns: An empty array if the id never referred to a row.
  /// - Complexity: As folding the records after the last snapshot without such a row.
  /// - Throws: ``StoreError``.
  /// - Precondition: The collection is one of the reducer's.
  public func blame(
    _ id: String, in collection: RowCollection, fields: FieldSet? = nil,
    with other: RowCollection? = nil
  ) throws(StoreError) -> [Blame] {
    let end = position.number
    guard let last = asking(handleOf: id, in: collection) else { return [] }
    let place = other.map { workspace.state.place(of: $0) }
    do {
      guard let handle = try begin(before: last, id, in: collection) else { return [] }
      var blames: [Blame] = []
      try watch(through: end, { $0 == place || $0 == handle.collection && $1 == handle.row }) {
        record, steps in
        let others = steps.filter { $0.collection == other }
        for step in steps where step.collection == collection {
          guard fields.map({ !$0.isDisjoint(with: step.fields) }) ?? true else { continue }
          blames.append(Blame(record: record, change: step, others: others))
        }
      }
      return blames
    } catch {
      throw StoreError(error, path: log.path)
    }
  }

  /// Returns whether an id refers to a row at the replay's position, or to a deleted one.
  ///
  /// - Complexity: O(log n)
  /// - Precondition: The collection is one of the reducer's.
  public func knows(_ id: String, in collection: RowCollection) -> Bool {
    asking(handleOf: id, in: collection) != nil
  }

  /// Returns, for each row of a list at the replay's position and in list order, the last record
  /// that brought it into the list; for compacted history, the baseline record that holds the row.
  ///
  /// - Complexity: As folding all records after the last snapshot that precedes all these records.
  /// - Throws: ``StoreError``.
  /// - Precondition: The list belongs to one of the reducer's views.
  public func blame(_ list: ListName) throws(StoreError) -> [Blame] {
    let (end, rows) = (position.number, try rows(of: list, in: 0...))
    let names = rows.map { RowName($0.id) }
    var entries: [RowName: Blame] = [:]
    do {
      var last = end
      while entries.count < rows.count {
        let start = snapshot(before: last) ?? log.floor
        try noteEntries(into: list, after: start, through: last, &entries, Set(names))
        guard start > log.floor else { break }
        last = start
      }
      try advance(to: end)
    } catch {
      throw StoreError(error, path: log.path)
    }
    return names.compactMap { entries[$0] }
  }

  /// Returns each record that changed the number of rows in a list, with the change.
  ///
  /// - Complexity: As folding the records between.
  /// - Throws: ``StoreError``.
  /// - Precondition: The list belongs to one of the reducer's views.
  public func countSteps(
    of list: ListName, after start: RecordNumber, through end: RecordNumber
  ) throws(StoreError) -> [(record: Record, change: Int)] {
    let plan = definitions.plans[definitions.number(of: list.view)]
    var steps: [(Record, Int)] = []
    do {
      try advance(to: start)
      try watch(through: end, wanted(by: plan)) { record, changes in
        let change = changes.reduce(0) { $0 + plan.change(of: list, by: $1) }
        if change != 0 { steps.append((record, change)) }
      }
    } catch {
      throw StoreError(error, path: log.path)
    }
    return steps
  }
}

extension Replay {
  /// Notes the last record that brought each row into a list, unless already known.
  private func noteEntries(
    into list: ListName, after start: RecordNumber, through end: RecordNumber,
    _ entries: inout [RowName: Blame], _ names: Set<RowName>
  ) throws {
    let plan = definitions.plans[definitions.number(of: list.view)]
    var found: [RowName: Blame] = [:]
    if start > log.floor { try advance(to: start) } else { try beginAnew(before: .zero) }
    try watch(through: end, wanted(by: plan)) { record, steps in
      for step in steps where plan.change(of: list, by: step) > 0 {
        let name = RowName(step.id)
        if names.contains(name) { found[name] = Blame(record: record, change: step) }
      }
    }
    entries.merge(found) { known, _ in known }
  }

  /// Advances to a record and calls `body` with each record that changed wanted rows.
  func watch(
    through end: RecordNumber, _ isWanted: @escaping (UInt8, RowID) -> Bool,
    _ body: (Record, [RowStep]) throws -> Void
  ) throws {
    let witness = EventWitness(of: isWanted)
    show(to: witness)
    defer { show(to: nil) }
    while position.number < end {
      let isOver = try log.read { snapshot -> Bool in
        for _ in 0..<Self.watchMax {
          guard try workspace.reduce(from: snapshot, atMost: 1, through: end) > 0 else {
            return true
          }
          guard !witness.sights.isEmpty else { continue }
          if let record = try snapshot.record(position.number) {
            try body(record, rowSteps(witness))
          }
          witness.clear()
        }
        return false
      }
      if isOver { return }
      guard position.number >= end || mayGoOn(Store.Progress(done: position.number, last: end))
      else { throw StoreError.cancelled }
    }
  }

  /// The number of records processed while the log is held open.
  private static let watchMax = 1024

  private func wanted(by plan: ViewPlan) -> (UInt8, RowID) -> Bool {
    let place = definitions.place(of: plan)
    return { collection, _ in collection == place }
  }

  /// Returns the row that an id refers to, even if deleted.
  private func asking(handleOf id: String, in collection: RowCollection) -> RowHandle? {
    workspace.state.locate(id, in: collection)
  }

  /// Restarts at the last snapshot that doesn't contain the row yet; returns the row as it is
  /// numbered from there on.
  ///
  /// Snapshots from before a compaction number rows otherwise than what is left, so none is used
  /// then.
  private func begin(
    before row: RowHandle, _ id: String, in collection: RowCollection
  ) throws -> RowHandle? {
    guard log.floor == .zero || snapshots == nil else {
      let end = position.number
      try beginAnew(before: .zero)
      try goOn(to: end)
      let found = asking(handleOf: id, in: collection)
      try beginAnew(before: .zero)
      return found
    }
    while let start = snapshot(before: position.number) {
      try beginAnew(before: start)
      try goOn(to: start)
      if workspace.state.shelves[Int(row.collection)].table.totals.lastID < row.row.rawValue {
        return row
      }
    }
    try beginAnew(before: .zero)
    return row
  }

  /// Returns the record of the last snapshot before a record; `nil` if there is none.
  ///
  /// There may be none any more that were there before; see ``SnapshotFolder``.
  private func snapshot(before number: RecordNumber) -> RecordNumber? {
    snapshots?.numbers.last { $0 < number }
  }
}

extension ViewPlan {
  /// Returns the change in how often a row is in a list: 1, 0, or -1.
  func change(of list: ListName, by step: RowStep) -> Int {
    guard step.collection == definition.collection else { return 0 }
    let (old, new) = (step.old.map(lists) ?? [], step.new.map(lists) ?? [])
    return (new.contains(list) ? 1 : 0) - (old.contains(list) ? 1 : 0)
  }
}
