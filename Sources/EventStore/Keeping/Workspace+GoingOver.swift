import LMDB

extension Workspace {
  /// Switches to the state that is committed now, in this file or another, and silently reduces the
  /// delivered records that it lacks, so that observers notice nothing.
  ///
  /// Drops all caches except the indexes of views that aren't the reducer's, which become valid
  /// again once their rows are the same. If the state goes beyond what was delivered, observers are
  /// told what happened in between. If what was delivered is not in the log, they are reset.
  ///
  /// - Returns: `false`, without any change, if some of what was delivered is still on its way into
  ///   the log and could not be reduced again.
  /// - Complexity: O(records that the state lacks)
  /// - Throws: An error that makes the views useless.
  func goOver(to next: ViewsBase?, _ log: Log) throws -> Bool {
    let delivered = position
    guard try log.last >= delivered.number else { return false }
    // If the delivered record did not reach the log, its number there belongs to another record.
    let isHeld = try log.holds(delivered)
    isStale = isHeld ? isStale : true
    if !isHeld { hub.setbacks.add(downTo: settled) }
    base?.reader.end()
    let carried = CarriedViews(of: self)
    try failing {
      try loadKeptViews(over: next)
      try reduceSilently(upTo: delivered.number, log)
      carried.putBack(into: self)
      try adopt(hub.transients)
      try tell(since: delivered, log)
    }
    return true
  }

  private func reduceSilently(upTo number: RecordNumber, _ log: Log) throws {
    isSilent = true
    defer { isSilent = false }
    while applied.number < number {
      let count = try log.read { snapshot in
        try reduce(from: snapshot, atMost: ViewsLoop.sliceMax, through: number)
      }
      guard count > 0 else { break }
    }
  }

  /// Tells observers how the state differs from what was delivered.
  private func tell(since delivered: Position, _ log: Log) throws {
    if isStale {
      try resetLookers()
    } else if applied.number > delivered.number {
      try tellLookers(since: delivered, log)
    } else if applied.number == delivered.number {
      try seekRows()
    }
  }

  /// Returns to the committed state, and advances from there to the end of the log; records that
  /// were compacted are left to catching up.
  ///
  /// Observers are reset at the end. If what was shown is not in the log, or not yet, that is a
  /// setback.
  ///
  /// - Returns: The last record of the committed state.
  func goBack(along log: Log) throws -> RecordNumber {
    // What can't be told counts as lost.
    if (try? log.holds(position)) != true { hub.setbacks.add(downTo: settled) }
    try takeBack()
    let committed = applied.number
    do {
      try log.read { snapshot in
        while try catchUp(from: snapshot, atMost: ViewsLoop.sliceMax) > 0 {}
      }
    } catch LogError.compacted {}
    return committed
  }

  /// The last record in the committed state underneath.
  var committedNumber: RecordNumber {
    get throws { try base?.readMeta()?.applied.number ?? .zero }
  }
}

/// The indexes of views that aren't the reducer's, held while their rows are dropped and reduced
/// again.
private struct CarriedViews {
  private let views: [(place: Int, view: KeptView)]
  private let totals: [(sum: RowTotals, isSwept: Bool)]
  private let applied: LogPoint
  private let environment: Environment?

  /// Takes the indexes of a workspace, or none if a failure may have left it half-changed.
  init(of workspace: Workspace) {
    let places = workspace.failure == nil ? Array(workspace.hub.transients.keys) : []
    views = places.map { ($0, workspace.state.lists.views[$0]) }
    totals = Self.totals(of: workspace)
    applied = workspace.applied
    environment = workspace.base?.file.environment
  }

  /// Puts the indexes back if the rows are what they were.
  ///
  /// The rows then have the same numbers, because the same events made them above the same rows.
  func putBack(into workspace: Workspace) {
    guard workspace.applied == applied, workspace.base?.file.environment === environment,
      zip(Self.totals(of: workspace), totals).allSatisfy(Self.agree)
    else { return }
    for (place, view) in views { workspace.state.lists.add(view, at: place) }
  }
}

extension CarriedViews {
  private static func totals(of workspace: Workspace) -> [(sum: RowTotals, isSwept: Bool)] {
    workspace.state.shelves.map { ($0.table.totals, $0.table.isSwept) }
  }

  /// Whether rows are the same; the hash differs for rows not yet rewritten by a sweep.
  private static func agree(
    _ now: (sum: RowTotals, isSwept: Bool), _ then: (sum: RowTotals, isSwept: Bool)
  ) -> Bool {
    guard now.isSwept || then.isSwept else { return now.sum == then.sum }
    return now.sum.lastID == then.sum.lastID && now.sum.count == then.sum.count
  }
}

extension Stage {
  /// The maximum number of checks, a millisecond apart, that all that was delivered is in the log.
  private static let triesMax = 100

  /// Switches the shown views to another state once everything delivered is in the log; returns
  /// `false` if that takes too long or nothing is shown.
  func goOver(to next: (Workspace) -> ViewsBase?, _ log: Log) throws -> Bool {
    for _ in 0..<Self.triesMax {
      let isDone = try with { workspace in try workspace.goOver(to: next(workspace), log) }
      guard isDone == false else { return isDone == true }
      WorkerThread.sleep(.milliseconds(1))
    }
    return false
  }
}
