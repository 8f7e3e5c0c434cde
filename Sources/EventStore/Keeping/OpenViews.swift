import LMDB

/// A generation of the views that is open in this process.
struct OpenViews: Sendable {
  let generation: Generation
  let file: ViewsFile
  /// The copy of the log that the views are made from; in another, something may since be erased.
  let incarnation: StoreID
  private let plans: [ViewPlan]

  /// Opens a generation, and releases it if that fails.
  init(
    _ generation: Generation, of incarnation: StoreID, _ definitions: Definitions,
    _ options: StoreOptions
  ) throws(LMDBError) {
    self.generation = generation
    self.incarnation = incarnation
    plans = definitions.plans
    do throws(LMDBError) {
      file = try ViewsFile(
        Environment(at: generation.folder.path, options: options.environment),
        definitions.collections)
    } catch {
      generation.release()
      throw error
    }
  }

  /// Closes the files; nothing may be read afterwards.
  func close() {
    file.environment.close()
    generation.release()
  }

  /// Returns how far the views go, or `nil` if they are not views of this log by these rules.
  func trusted(by log: Log) throws -> ViewsMeta? {
    guard let meta = try file.readMeta(), meta.isOf(plans),
      case .trusted = try log.trust(meta.applied, in: generation.number)
    else { return nil }
    return meta
  }

  /// Whether every view that the reducer has queried still has the same definition.
  var areOfTheseRules: Bool { get throws { try file.readMeta()?.isOf(plans) ?? false } }
}

extension ViewsMeta {
  /// Whether every view that the reducer has queried still has the same definition: the rows depend
  /// on the answers.
  fileprivate func isOf(_ plans: [ViewPlan]) -> Bool {
    views.allSatisfy { view in
      !view.isAsked || plans.contains { $0.definition.name == view.name && $0.hash == view.hash }
    }
  }
}
