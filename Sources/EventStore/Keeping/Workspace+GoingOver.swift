import LMDB

extension Workspace {
  /// Goes over to the state that is committed now, in this file or another, and reduces in silence
  /// what that lacks of what was delivered: who looks notices nothing.
  ///
  /// All caches are dropped, but for indexes of views that are not the reducer's, which are good
  /// again as soon as the rows are those that they are of. Where the state goes further than what
  /// was delivered, who looks is told what happened in between; where what was delivered is not in
  /// the log, to begin anew.
  ///
  /// - Returns: `false`, and nothing is changed, where some of what was delivered is still on its
  ///   way into the log, so that it could not be reduced again.
  /// - Complexity: O(records that the state lacks)
  /// - Throws: What makes the views useless.
  func goOver(to next: ViewsBase?, _ log: Log) throws -> Bool {
    let delivered = position
    guard try log.last >= delivered.number else { return false }
    // What has its number in the log is another record where its own did not get there.
    isStale = try log.holds(delivered) ? isStale : true
    base?.reader.end()
    let carried = CarriedViews(of: self)
    try loadKeptViews(over: next)
    isSilent = true
    defer { isSilent = false }
    while applied.number < delivered.number {
      let count = try log.read { snapshot in
        try reduce(from: snapshot, atMost: ViewsLoop.sliceMax, through: delivered.number)
      }
      guard count > 0 else { break }
    }
    carried.putBack(into: self)
    try adopt(hub.transients)
    if isStale {
      try resetLookers()
    } else if applied.number > delivered.number {
      try tellLookers(since: delivered, log)
    } else if applied.number == delivered.number {
      try seekRows()
    }
    return true
  }

  /// How far the state goes that it lies over.
  var committedNumber: RecordNumber {
    get throws { try base?.readMeta()?.applied.number ?? .zero }
  }
}

/// The indexes of views that are not the reducer's, while the rows that they are of are dropped and
/// reduced again.
private struct CarriedViews {
  private let views: [(place: Int, view: KeptView)]
  private let totals: [(sum: RowTotals, isSwept: Bool)]
  private let applied: Applied
  private let environment: Environment?

  /// Those of a workspace, unless it may be in the middle of something.
  init(of workspace: Workspace) {
    let places = workspace.failure == nil ? Array(workspace.hub.transients.keys) : []
    views = places.map { ($0, workspace.state.lists.views[$0]) }
    totals = Self.totals(of: workspace)
    applied = workspace.applied
    environment = workspace.base?.file.environment
  }

  /// Puts them back where rows are what they were.
  ///
  /// They have the same numbers then, since the same events made them above the same rows.
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

  /// Whether rows are the same: of those that have not learned of a sweep the hash is another one.
  private static func agree(
    _ now: (sum: RowTotals, isSwept: Bool), _ then: (sum: RowTotals, isSwept: Bool)
  ) -> Bool {
    guard now.isSwept || then.isSwept else { return now.sum == then.sum }
    return now.sum.lastID == then.sum.lastID && now.sum.count == then.sum.count
  }
}

extension Stage {
  /// How often, a millisecond apart, it is looked whether all that was delivered is in the log.
  private static let triesMax = 100

  /// Has the views that are shown go over to another state, once all that was delivered is in the
  /// log; `false` where it was not for too long, or nothing is shown.
  func goOver(to next: (Workspace) -> ViewsBase?, _ log: Log) throws -> Bool {
    for _ in 0..<Self.triesMax {
      let isDone = try with { workspace in try workspace.goOver(to: next(workspace), log) }
      guard isDone == false else { return isDone == true }
      WorkerThread.sleep(.milliseconds(1))
    }
    return false
  }
}
