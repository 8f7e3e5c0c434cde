import LMDB

/// What a process is to the views of a store while it shows them: their keeper, or a follower of
/// the process that keeps them.
///
/// Both reduce what the log takes in and deliver it, through the same pipeline. They differ in what
/// they do when a frame ends: a keeper commits it, a follower goes over to what was committed.
protocol ViewsRole: AnyObject, Sendable {
  var log: Log { get }
  var pipeline: Pipeline { get }
  /// Where the views are.
  var folder: ViewsFolder { get }
  /// The generation that is shown, and its file.
  var current: OpenViews { get }

  /// Ends the frame: before long less is held in memory, wherever that can be.
  func endFrame() throws

  /// Returns once the frame that was ended is committed, if it is being written.
  func finishFrame() throws

  /// Returns once nothing is written any more; what was written counts for nothing.
  func abandonFrame()

  /// Notes that what is shown can't be trusted.
  func distrust()
}

extension ViewsRole {
  /// Shows what is shown now, and no more, where the disk is full, the file can't grow, or the log
  /// failed.
  ///
  /// Otherwise it can't be trusted, and nothing is shown.
  func giveUp(_ error: any Error) {
    log.dropFollower()
    if error is LogError || [.diskFull, .mapFull].contains((error as? LMDBError)?.code) { return }
    pipeline.stage.clear()
    distrust()
  }

  /// Notes what a person sees first, for the next opening; without it there is nothing to see.
  func writeFirstScreen() {
    let generation = current.generation.number
    let lists = pipeline.stage.with { try? $0.firstWindows(in: generation) } ?? nil
    guard let lists, !lists.isEmpty else { return }
    var screen = FirstScreen.read(
      in: folder.folder, store: log.store, incarnation: log.incarnation)
    for (key, window) in lists { screen.set(window, for: key) }
    try? screen.write(in: folder.folder)
  }
}
