import LMDB

/// Makes views anew from the whole log: all rows first, then each index at once.
struct Rebuild {
  /// The records that are reduced before anything else can happen.
  static let sliceMax = 4096
  /// The bytes of changed rows at which they are committed.
  static let frameBytesMax = 32 << 20

  private let log: Log
  private let file: ViewsFile
  private let options: Store.Options

  init(_ log: Log, _ file: ViewsFile, _ options: Store.Options) {
    self.log = log
    self.file = file
    self.options = options
  }

  /// Fills a workspace over an empty file; it is committed in the end.
  ///
  /// - Throws: ``StoreError/cancelled`` where ``Store/Options/progress`` says so.
  func run(_ workspace: Workspace, _ watch: inout CrashWatch) throws {
    workspace.state.lists.isDeferred = true
    workspace.state.names.beginBulk()
    try tell(workspace, try log.last)
    try workspace.catchUp(log, atMost: Self.sliceMax, &watch) { last in
      try tell(workspace, last)
      if workspace.byteCount >= Self.frameBytesMax { try commit(workspace) }
    }
    try workspace.state.names.endBulk()
    try commit(workspace)
    try workspace.buildMissingViews()
    try commit(workspace)
  }

  /// Says how far it has come.
  private func tell(_ workspace: Workspace, _ last: RecordNumber) throws {
    let progress = Store.Progress(done: workspace.applied.number, last: last)
    guard options.progress(progress) else { throw StoreError.cancelled }
  }

  private func commit(_ workspace: Workspace) throws {
    let frame = try workspace.freeze()
    while true {
      do throws(LMDBError) {
        try file.write(frame)
        return try workspace.committed()
      } catch {
        guard error.code == .mapFull else { throw error }
        workspace.endReading()
        try file.environment.grow()
      }
    }
  }
}
