/// A record that changed a row, and what it did to it.
public struct Blame: Sendable, Hashable {
  /// The record.
  public let record: Record
  /// What it did to the row.
  public let change: RowStep
  /// What it did to rows that were looked at as well.
  public var others: [RowStep] = []
}

extension Replay {
  /// The records that made a row what it is where the replay stands, in order.
  ///
  /// The id is what finds the row there, or found it when it was deleted. Only some fields matter,
  /// given by their numbers, or all of them; those that came and went with the row count as
  /// changed. Of each record it is told as well what it did to the rows of another collection.
  ///
  /// Of what was compacted away, the record of the baseline that the row is kept in is told.
  ///
  /// - Returns: Nothing where the id never found a row.
  /// - Complexity: As folding the records behind the last snapshot at which there was no such row.
  /// - Throws: ``StoreError``.
  /// - Precondition: The collection is one of the reducer's.
  public func blame(
    _ id: String, in collection: RowCollection, fields: FieldSet? = nil,
    with other: RowCollection? = nil
  ) throws(StoreError) -> [Blame] {
    let end = position.number
    guard let handle = asking(handleOf: id, in: collection) else { return [] }
    let place = other.map { workspace.state.place(of: $0) }
    do {
      try begin(before: handle)
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

  /// Whether an id finds a row where the replay stands, or found one that was deleted.
  ///
  /// - Complexity: O(log n)
  /// - Precondition: The collection is one of the reducer's.
  public func knows(_ id: String, in collection: RowCollection) -> Bool {
    asking(handleOf: id, in: collection) != nil
  }

  /// The records that brought the rows of a list into it, as it is where the replay stands: for
  /// each row, in the list's order, the last that did; of what was compacted away, the record of
  /// the baseline that the row is kept in.
  ///
  /// - Complexity: As folding all records, from the last snapshot before which nobody came.
  /// - Throws: ``StoreError``.
  /// - Precondition: The list is of one of the reducer's views.
  public func blame(_ list: ListName) throws(StoreError) -> [Blame] {
    let (end, rows) = (position.number, try rows(of: list, in: 0...))
    let names = rows.map { RowName($0.id) }
    var entries: [RowName: Blame] = [:]
    do {
      var (last, starts) = (end, (snapshots?.numbers ?? []).filter { $0 < end })
      while entries.count < rows.count {
        let start = starts.popLast() ?? log.floor
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

  /// How the number of a list's rows came about: each record that changed it, and by how much.
  ///
  /// - Complexity: As folding the records between.
  /// - Throws: ``StoreError``.
  /// - Precondition: The list is of one of the reducer's views.
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
  /// Notes which records brought rows into a list for the last time, where that is not known yet.
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

  /// Goes on to a record, and calls `body` with each that changed rows that are wanted.
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

  /// The records that are gone through while the log is held open.
  private static let watchMax = 1024

  private func wanted(by plan: ViewPlan) -> (UInt8, RowID) -> Bool {
    let place = definitions.place(of: plan)
    return { collection, _ in collection == place }
  }

  /// The row that an id finds, whether it was deleted or not.
  private func asking(handleOf id: String, in collection: RowCollection) -> RowHandle? {
    workspace.state.locate(id, in: collection)
  }

  /// Begins at the last snapshot at which there was no such row yet.
  private func begin(before row: RowHandle) throws {
    var starts = snapshots?.numbers.filter { $0 < position.number } ?? []
    while let start = starts.popLast() {
      try beginAnew(before: start)
      try goOn(to: start)
      if workspace.state.shelves[Int(row.collection)].table.totals.lastID < row.row.rawValue {
        return
      }
    }
    try beginAnew(before: .zero)
  }
}

extension ViewPlan {
  /// How many more times a row is in a list behind a change: once, not, or once less.
  func change(of list: ListName, by step: RowStep) -> Int {
    guard step.collection == definition.collection else { return 0 }
    let (old, new) = (step.old.map(lists) ?? [], step.new.map(lists) ?? [])
    return (new.contains(list) ? 1 : 0) - (old.contains(list) ? 1 : 0)
  }
}
