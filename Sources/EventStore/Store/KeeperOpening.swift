import LMDB

/// Finds the views, or makes them anew, and brings them up to where the log is.
struct KeeperOpening {
  /// The records that lie between the views and the log beyond which making them anew is faster
  /// than catching up.
  static let catchUpMax = 100_000

  let log: Log
  let folder: ViewsFolder
  let lease: Lease
  let definitions: Definitions
  let stage: Stage
  let options: Store.Options

  /// The keeper of the views, up to date.
  func open() throws -> Keeper {
    let standing = try log.standing()
    switch try folder.open(log: standing, recipe: definitions.recipe, boot: options.boot()) {
    case .use(let generation):
      if let keeper = try use(generation) { return keeper }
      return try rebuild()
    case .rebuild(let reason):
      _ = reason
      return try rebuild()
    }
  }

  /// The keeper of a generation that may be trusted; `nil` where it turns out not to be.
  private func use(_ generation: Generation) throws -> Keeper? {
    let views = try OpenViews(generation, definitions, options)
    guard let meta = try views.trusted(by: log),
      meta.applied.number.distance(to: try log.last) <= Self.catchUpMax
    else {
      views.close()
      return nil
    }
    let workspace = try Workspace(
      definitions, of: log.store, from: log.beginning, over: ViewsBase(views.file))
    try workspace.buildMissingViews()
    return try keeper(of: views, workspace)
  }

  /// Makes the views anew, in a generation of their own that nobody sees before it is whole.
  private func rebuild() throws -> Keeper {
    let views = try OpenViews(
      folder.begin(lease, log: try log.standing()), definitions, options)
    let workspace = try Workspace(
      definitions, of: log.store, from: log.beginning, over: ViewsBase(views.file))
    try Rebuild(log, views.file, options).run(workspace)
    let standing = try log.standing()
    try folder.swapIn(
      views.generation, lease, log: standing, recipe: definitions.recipe, boot: options.boot())
    _ = try? folder.tidy(lease)
    return try keeper(of: views, workspace)
  }

  private func keeper(of views: OpenViews, _ workspace: sending Workspace) throws -> Keeper {
    let committed = workspace.applied.number
    try workspace.catchUp(with: log)
    try stage.install(workspace, log)
    return Keeper(self, views, committed: committed)
  }
}

extension KeeperOpening {
  /// The keeper of the views that a follower has shown so far, where they can be trusted; otherwise
  /// of others.
  ///
  /// - Precondition: The follower is paused.
  func takeOver(from follower: Follower) throws -> Keeper {
    let views = follower.current
    guard try canKeep(views) else {
      let keeper = try open()
      views.close()
      return keeper
    }
    let committed = try stage.with { workspace in
      try workspace.goOver(to: workspace.base, log)
      return try workspace.committedNumber
    }
    return Keeper(self, views, committed: committed ?? .zero)
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
