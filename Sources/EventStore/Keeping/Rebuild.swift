import LMDB

/// Rebuilds views from the whole log: all rows first, then each index in one pass.
struct Rebuild {
  /// The number of records reduced before anything else can happen.
  static let sliceMax = 4096

  private let log: Log
  private let file: ViewsFile
  private let options: StoreOptions

  init(_ log: Log, _ file: ViewsFile, _ options: StoreOptions) {
    self.log = log
    self.file = file
    self.options = options
  }

  /// Fills a workspace over an empty file, and commits everything.
  ///
  /// - Throws: ``StoreError/cancelled`` if ``StoreOptions/progress`` returns `false`.
  func run(_ workspace: Workspace, _ watch: inout CrashWatch) throws {
    var frames = FrameRelay()
    do {
      try reduce(into: workspace, &watch, &frames)
      try workspace.state.names.endBulk()
      try commit(workspace, &frames)
      try workspace.buildMissingViews()
      try commit(workspace, &frames)
      try finish(workspace, &frames)
    } catch {
      // The file must not be closed while a frame is being written.
      frames.abandon()
      throw error
    }
  }

  private func reduce(
    into workspace: Workspace, _ watch: inout CrashWatch, _ frames: inout FrameRelay
  ) throws {
    workspace.state.lists.putOff()
    workspace.state.names.beginBulk()
    try tell(workspace, try log.last)
    try workspace.catchUp(log, atMost: Self.sliceMax, &watch) { last in
      try tell(workspace, last)
      if workspace.byteCount >= options.rebuildFrameBytesMax { try commit(workspace, &frames) }
    }
  }

  /// Ends the frame once the previous one is committed, and begins to commit it.
  private func commit(_ workspace: Workspace, _ frames: inout FrameRelay) throws(LMDBError) {
    try finish(workspace, &frames)
    frames.begin(try workspace.freeze(), in: file)
  }

  /// Waits until the last frame is committed; a full map grows, because nobody reads.
  private func finish(_ workspace: Workspace, _ frames: inout FrameRelay) throws(LMDBError) {
    let applied = try frames.finish { environment throws(LMDBError) in
      workspace.endReading()
      try environment.grow()
    }
    if applied != nil { try workspace.committed() }
  }

  /// Reports the progress.
  private func tell(_ workspace: Workspace, _ last: RecordNumber) throws {
    let progress = RebuildProgress(done: workspace.applied.number, last: last)
    guard options.progress(progress) else { throw StoreError.cancelled }
  }
}
