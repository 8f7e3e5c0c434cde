import LMDB

/// A generation of the views that is open in this process.
struct OpenViews: Sendable {
  let generation: Generation
  let file: ViewsFile
  /// The copy of the log that they are made of; of another something may be erased since.
  let incarnation: StoreID
  private let plans: [ViewPlan]

  /// Opens a generation, which is released where that fails.
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

  /// Ends the use of its files; nothing may be read any more.
  func close() {
    file.environment.close()
    generation.release()
  }

  /// How far they go, where they are views of the log as it is and of these rules; `nil` where they
  /// are not.
  func trusted(by log: Log) throws -> ViewsMeta? {
    guard let meta = try file.readMeta(), meta.isOf(plans),
      case .trusted = try log.trust(meta.applied, in: generation.number)
    else { return nil }
    return meta
  }

  /// Whether the reducer has asked no views but such as it still has.
  var areOfTheseRules: Bool { get throws { try file.readMeta()?.isOf(plans) ?? false } }
}

extension ViewsMeta {
  /// Whether all views that the reducer has asked are defined so still: what it made of the answers
  /// is in the rows, and would be otherwise.
  fileprivate func isOf(_ plans: [ViewPlan]) -> Bool {
    views.allSatisfy { view in
      !view.isAsked || plans.contains { $0.definition.name == view.name && $0.hash == view.hash }
    }
  }
}
