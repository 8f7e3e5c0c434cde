import LMDB

/// A generation of the views that is open in this process.
struct OpenViews: Sendable {
  let generation: Generation
  let file: ViewsFile

  /// Opens a generation, which is released where that fails.
  init(
    _ generation: Generation, _ definitions: Definitions, _ options: StoreOptions
  ) throws(LMDBError) {
    self.generation = generation
    do throws(LMDBError) {
      file = try ViewsFile(
        Environment(at: generation.folder.path, options: options.environment),
        definitions.collections)
    } catch {
      generation.release()
      throw error
    }
  }

  /// Ends the use of its files; nothing may be read any more.
  func close() {
    file.environment.close()
    generation.release()
  }

  /// How far they go, where they are views of the log as it is; `nil` where they are not.
  func trusted(by log: Log) throws -> ViewsMeta? {
    guard let meta = try file.readMeta(),
      case .trusted = try log.trust(meta.applied, in: generation.number)
    else { return nil }
    return meta
  }
}
