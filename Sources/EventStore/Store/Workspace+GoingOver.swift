import LMDB

extension Workspace {
  /// Goes over to the state that is committed now, in this file or another, and reduces in silence
  /// what that lacks of what was delivered: who looks notices nothing.
  ///
  /// All caches are dropped. Where the state goes further than what was delivered, who looks is
  /// told what happened in between.
  ///
  /// - Returns: `false`, and nothing is changed, where some of what was delivered is still on its
  ///   way into the log, so that it could not be reduced again.
  /// - Complexity: O(records that the state lacks)
  /// - Throws: What makes the views useless.
  func goOver(to next: ViewsBase?, _ log: Log) throws -> Bool {
    let delivered = position
    guard try log.last >= delivered.number else { return false }
    base?.reader.end()
    try load(over: next)
    isSilent = true
    defer { isSilent = false }
    while applied.number < delivered.number {
      let count = try log.read { snapshot in
        try reduce(from: snapshot, atMost: ViewsLoop.sliceMax, through: delivered.number)
      }
      guard count > 0 else { break }
    }
    if applied.number > delivered.number {
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
