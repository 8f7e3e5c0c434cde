import LMDB

/// Opens the views or rebuilds them, and brings them up to the end of the log.
struct KeeperOpening {
  /// The number of records between the views and the end of the log above which a rebuild is faster
  /// than catching up.
  static let catchUpMax = 100_000

  let log: Log
  let folder: ViewsFolder
  let lease: Lease
  let definitions: Definitions
  let stage: Stage
  let options: StoreOptions

  /// Returns a keeper of views that are up to date.
  func open() throws -> Keeper {
    let standing = try log.standing()
    switch try folder.open(log: standing, recipe: definitions.recipe, boot: options.boot()) {
    case .use(let generation):
      let keeper = try useIfSound(generation, of: standing.incarnation)
      return try keeper ?? rebuild()
    case .rebuild: return try rebuild()
    }
  }

  /// As ``use(_:of:)``; also returns `nil` if the generation looked sound but can't be read.
  private func useIfSound(_ generation: Generation, of incarnation: StoreID) throws -> Keeper? {
    do {
      return try use(generation, of: incarnation)
    } catch let error as LogError {
      throw error
    } catch let error as StoreError {
      throw error
    } catch {
      stage.clear()
      generation.release()
      return nil
    }
  }

  /// Returns the keeper of a generation, or `nil` if it isn't trusted or is too far behind the log.
  private func use(_ generation: Generation, of incarnation: StoreID) throws -> Keeper? {
    let views = try OpenViews(generation, of: incarnation, definitions, options)
    do {
      guard let meta = try views.trusted(by: log),
        meta.applied.number.distance(to: try log.last) <= Self.catchUpMax
      else {
        views.close()
        return nil
      }
      let workspace = try Workspace(
        definitions, of: log.store, from: log.beginning, over: ViewsBase(views.file))
      try workspace.buildMissingViews()
      workspace.rowsAtHand = RowsAtHand(
        in: folder.folder, log: log, generation, workspace.state.lists.kept, workspace.applied)
      var watch = try watch(after: meta.applied.number)
      workspace.skipped = Set(watch.skipped)
      return try keeper(of: views, workspace, &watch)
    } catch {
      stage.clear()
      views.close()
      throw error
    }
  }

  private func watch(after applied: RecordNumber) throws -> CrashWatch {
    try CrashWatch(
      in: folder, lease, log: try log.standing(), recipe: definitions.recipe, after: applied)
  }

  /// The maximum number of rebuilds that compactions of the log overtake.
  private static let overtakingsMax = 3

  /// Rebuilds the views, and starts over if something was erased from the log meanwhile, or the
  /// log was compacted beyond what the rebuild has reached.
  private func rebuild() throws -> Keeper {
    var overtakings = 0
    while true {
      do {
        if let keeper = try rebuild(of: log.standing()) { return keeper }
      } catch LogError.compacted where overtakings < Self.overtakingsMax {
        overtakings += 1
      }
    }
  }

  /// Rebuilds the views in a generation that nobody sees before it is complete; returns `nil` if
  /// the log is no longer the same copy.
  private func rebuild(of standing: LogStanding) throws -> Keeper? {
    let views = try OpenViews(
      folder.begin(lease, log: standing), of: standing.incarnation, definitions, options)
    do {
      if let keeper = try fill(views, from: standing) { return keeper }
    } catch {
      stage.clear()
      discard(views)
      throw error
    }
    discard(views)
    return nil
  }

  private func fill(_ views: OpenViews, from standing: LogStanding) throws -> Keeper? {
    let workspace = try Workspace(
      definitions, of: log.store, from: log.beginning, over: ViewsBase(views.file))
    var watch = try watch(after: workspace.applied.number)
    workspace.skipped = Set(watch.skipped)
    try Rebuild(log, views.file, options).run(workspace, &watch)
    guard try log.standing().incarnation == standing.incarnation else { return nil }
    try folder.swapIn(
      views.generation, lease, log: standing, recipe: definitions.recipe, boot: options.boot())
    _ = try? folder.tidy(lease)
    return try keeper(of: views, workspace, &watch)
  }

  /// Closes views that came to nothing, and frees their disk space, which the log may need.
  private func discard(_ views: OpenViews) {
    views.close()
    _ = try? folder.tidy(lease)
  }

  private func keeper(
    of views: OpenViews, _ workspace: sending Workspace, _ watch: inout CrashWatch
  ) throws -> Keeper {
    try workspace.catchUp(log, atMost: Rebuild.sliceMax, &watch)
    try watch.end()
    workspace.rehearse()
    try stage.install(workspace, of: ViewsSource(views), log)
    return try Keeper(self, views)
  }
}

extension KeeperOpening {
  /// Returns a keeper of the views that a follower has shown so far if they can be trusted, or of
  /// others otherwise.
  ///
  /// - Precondition: The follower is paused.
  func takeOver(from follower: Follower) throws -> Keeper {
    let views = follower.current
    guard try canKeep(views) else {
      let keeper = try open()
      views.close()
      return keeper
    }
    guard try stage.goOver(to: { $0.base }, log) else {
      throw ViewsError.inconsistent("what is shown is not in the log")
    }
    return try Keeper(self, views)
  }

  private func canKeep(_ views: OpenViews) throws -> Bool {
    let opening = try folder.open(
      log: log.standing(), recipe: definitions.recipe, boot: options.boot())
    guard case .use(let generation) = opening else { return false }
    defer { generation.release() }
    guard generation.number == views.generation.number else { return false }
    return try views.generation.check() == nil && views.trusted(by: log) != nil
  }
}

extension Workspace {
  /// Reduces the records that the log has beyond the views, in slices and under the crash watch.
  ///
  /// Calls `pause` with the log's last record number between two slices.
  func catchUp(
    _ log: Log, atMost limit: Int, _ watch: inout CrashWatch,
    _ pause: (RecordNumber) throws -> Void = { _ in }
  ) throws {
    while true {
      let last = try log.last
      let next = try numberToCome(in: log)
      guard let stretch = try watch.next(after: next.advanced(by: -1), through: last) else {
        return
      }
      let count = min(limit, stretch.count)
      let isOver = try log.read { snapshot in
        try reduce(from: snapshot, atMost: count, through: stretch.upperBound) == 0
      }
      if isOver { return }
      try pause(last)
    }
  }

  /// The number of the next record to reduce; in a baseline, many numbers are absent.
  private func numberToCome(in log: Log) throws -> RecordNumber {
    let next = applied.number.advanced(by: 1)
    guard next <= log.floor else { return next }
    return try log.read { snapshot in
      var cursor = try snapshot.records(after: applied)
      // Damage is encountered again when the record is reduced.
      let isThere = (try? cursor.next()) ?? false
      return isThere ? cursor.number : next
    }
  }
}
