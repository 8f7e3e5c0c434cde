import LMDB

/// Finds the views, or makes them anew, and brings them up to where the log is.
struct KeeperOpening {
  /// The records that lie between the views and the log beyond which making them anew is faster
  /// than catching up.
  static let catchUpMax = 100_000
  /// The records that are reduced at once.
  private static let sliceMax = 512

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
    let file = try ViewsFile(
      Environment(at: generation.folder.path, options: options.environment),
      definitions.collections)
    guard let meta = try file.readMeta(),
      case .trusted = try log.trust(meta.applied, in: generation.number),
      meta.applied.number.distance(to: try log.last) <= Self.catchUpMax
    else {
      file.environment.close()
      generation.release()
      return nil
    }
    let workspace = try Workspace(
      definitions, of: log.store, from: log.beginning, over: ViewsBase(file))
    let isNew = workspace.state.lists.views.contains { !$0.isBuilt }
    try workspace.buildMissingViews()
    let inViews = isNew ? nil : meta.applied.number
    return try keeper(of: generation, file, workspace, inViews: inViews)
  }

  /// Makes the views anew, in a generation of their own that nobody sees before it is whole.
  private func rebuild() throws -> Keeper {
    let generation = try folder.begin(lease, log: try log.standing())
    let file = try ViewsFile(
      Environment(at: generation.folder.path, options: options.environment),
      definitions.collections)
    let workspace = try Workspace(
      definitions, of: log.store, from: log.beginning, over: ViewsBase(file))
    try Rebuild(log, file, options).run(workspace)
    let standing = try log.standing()
    try folder.swapIn(
      generation, lease, log: standing, recipe: definitions.recipe, boot: options.boot())
    _ = try? folder.tidy(lease)
    let inViews = workspace.applied.number
    return try keeper(of: generation, file, workspace, inViews: inViews)
  }

  private func keeper(
    of generation: Generation, _ file: ViewsFile, _ workspace: sending Workspace,
    inViews: RecordNumber?
  ) throws -> Keeper {
    try catchUp(workspace)
    return try Keeper(
      log, folder, lease, generation, file, workspace, inViews: inViews, on: stage, options)
  }

  private func catchUp(_ workspace: Workspace) throws {
    while try log.read({ try workspace.reduce(from: $0, atMost: Self.sliceMax) }) > 0 {}
  }
}
