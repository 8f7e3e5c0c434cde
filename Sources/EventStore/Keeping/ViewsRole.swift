import LMDB

/// The role of a process that shows a store's views: their keeper, or a follower of the process
/// that keeps them.
///
/// Both reduce new log records and deliver the results through the same pipeline. They differ in
/// what they do when a frame ends: a keeper commits it, and a follower switches to what was
/// committed.
protocol ViewsRole: AnyObject, Sendable {
  var log: Log { get }
  var pipeline: Pipeline { get }
  /// The folder of the views.
  var folder: ViewsFolder { get }
  /// The generation being shown, and its file.
  var current: OpenViews { get }

  /// Ends the frame, so that memory is soon released wherever possible.
  func endFrame() throws

  /// Waits until the ended frame is committed, if it is being written.
  func finishFrame() throws

  /// Waits until nothing is being written, and ignores the outcome.
  func abandonFrame()

  /// Notes that what is shown can't be trusted.
  func distrust()

  /// Closes the views, and lets other processes keep them.
  func leave()
}

extension ViewsRole {
  /// Keeps showing what the log holds, without updates, if the disk is full, the file can't grow,
  /// or the log failed.
  ///
  /// After any other error the views can't be trusted, nothing is shown, and other processes may
  /// keep them.
  func giveUp(_ error: any Error) {
    log.dropFollower()
    if error is LogError || [.diskFull, .mapFull].contains((error as? LMDBError)?.code) {
      return pipeline.stage.goBack(along: log)
    }
    pipeline.stage.clear()
    distrust()
    // Another process can make new ones, and what was erased must not stay on disk because this
    // process still has the views open.
    leave()
  }

  /// Saves what a person sees first for the next opening, which otherwise shows nothing early.
  func writeFirstScreen() {
    let generation = current.generation.number
    try? FirstScreen.change(
      in: folder.folder, store: log.store, incarnation: log.incarnation
    ) { screen in
      // Taken only now: whoever removed the screen before has hidden what must not be on it.
      let lists = pipeline.stage.with { try? $0.firstWindows(in: generation) } ?? nil
      guard let lists, !lists.isEmpty else { return false }
      for (key, window) in lists { screen.set(window, for: key) }
      return true
    }
  }
}

extension Stage {
  /// Stops showing what the log doesn't hold, since nobody takes that back if it doesn't get there;
  /// stops showing anything if this fails.
  fileprivate func goBack(along log: Log) {
    let isDone = try? with { workspace in
      let isHeld = try workspace.failure == nil && log.holds(workspace.position)
      if !isHeld { _ = try workspace.goBack(along: log) }
      return true
    }
    if isDone != true { clear() }
  }
}
