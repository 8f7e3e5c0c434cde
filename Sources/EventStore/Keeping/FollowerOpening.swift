import LMDB

/// Opens the views that another process keeps, and brings what is shown up to the end of the log.
struct FollowerOpening {
  let log: Log
  let folder: ViewsFolder
  let definitions: Definitions
  let stage: Stage
  let options: StoreOptions

  /// Returns the current generation, or `nil` if none can be trusted.
  func open() throws -> OpenViews? {
    try Self.open(log, folder, definitions, options)
  }

  static func open(
    _ log: Log, _ folder: ViewsFolder, _ definitions: Definitions, _ options: StoreOptions
  ) throws -> OpenViews? {
    let standing = try log.standing()
    let opening = try folder.open(
      log: standing, recipe: definitions.recipe, boot: options.boot())
    guard case .use(let generation) = opening else { return nil }
    let views = try OpenViews(generation, of: standing.incarnation, definitions, options)
    let isTrusted: Bool
    do { isTrusted = try views.trusted(by: log) != nil } catch {
      views.close()
      throw error
    }
    if !isTrusted { views.close() }
    return isTrusted ? views : nil
  }

  /// Returns why another process keeps no views that can be shown: it makes them by other rules, or
  /// is still making them.
  func refusal() -> StoreError {
    let path = folder.folder.path
    return (try? isOfOtherRules()) == true ? .otherRules(path: path) : .busy(path: path)
  }

  private func isOfOtherRules() throws -> Bool {
    let standing = try log.standing()
    let opening = try folder.open(log: standing, recipe: definitions.recipe, boot: options.boot())
    switch opening {
    case .rebuild(because: .otherReducers), .rebuild(because: .otherDefinitions): break
    case .rebuild: return false
    case .use(let generation):
      let views = try OpenViews(generation, of: standing.incarnation, definitions, options)
      defer { views.close() }
      if try views.areOfTheseRules { return false }
    }
    // While new views are being made, the previous ones are still current.
    let current = try ViewsPointer.read(in: folder.folder)?.generation
    return try folder.generations.numbers().max() == current
  }

  /// Shows views on the stage, with the records that the log has beyond them; returns the last
  /// record that is committed and the last that is shown.
  func show(_ views: OpenViews) throws -> (committed: RecordNumber, reduced: RecordNumber) {
    let workspace = try Workspace(
      definitions, of: log.store, from: log.beginning, over: ViewsBase(views.file))
    let committed = workspace.applied.number
    try workspace.buildMissingViews()
    workspace.rowsAtHand = RowsAtHand(
      in: folder.folder, log: log, views.generation, workspace.state.lists.kept, workspace.applied)
    let memory = try CrashGuard.read(
      in: folder.folder, log: log.standing(), recipe: definitions.recipe)
    workspace.skipped = Set(memory.skipped)
    while try log.read({ try workspace.reduce(from: $0, atMost: ViewsLoop.sliceMax) }) > 0 {}
    let reduced = workspace.applied.number
    try stage.install(workspace, of: ViewsSource(views), log)
    return (committed, reduced)
  }
}
