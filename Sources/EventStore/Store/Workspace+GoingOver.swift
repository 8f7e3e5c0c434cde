import LMDB

extension Workspace {
  /// Goes over to the state that is committed now, in this file or another, and reduces in silence
  /// what that lacks of what was delivered: who looks notices nothing.
  ///
  /// All caches are dropped. Where the state goes further than what was delivered, who looks is told
  /// what happened in between.
  ///
  /// - Complexity: O(records that the state lacks)
  /// - Throws: What makes the views useless.
  func goOver(to next: ViewsBase?, _ log: Log) throws {
    let delivered = position
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
    if applied.number > delivered.number { try tellLookers(since: delivered, log) }
  }

  /// How far the state goes that it lies over.
  var committedNumber: RecordNumber {
    get throws { try base?.readMeta()?.applied.number ?? .zero }
  }
}
