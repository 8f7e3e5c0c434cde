import LMDB

/// A view in a workspace: its plan and the index of its rows.
final class KeptView {
  let plan: ViewPlan
  /// The place of the view's collection among the reducer's.
  let collection: UInt8
  var index: RankedIndex
  /// Whether the view is one of the reducer's, which are journaled and committed.
  let isKept: Bool
  /// The number of the last row that the index covers: 0 if nothing is built, the maximum if all
  /// is.
  var builtThrough: UInt32
  /// The rows that the index reflects, if it was left alone since.
  private(set) var lag: Lag?
  /// The number of bytes of changed nodes counted so far.
  var countedBytes = 0
  /// Whether the reducer has queried the view since the rows were rebuilt.
  var isAsked = false

  init(
    _ plan: ViewPlan, collection: UInt8, _ index: consuming RankedIndex, isBuilt: Bool
  ) {
    self.plan = plan
    self.collection = collection
    self.index = index
    isKept = true
    builtThrough = isBuilt ? .max : 0
  }

  /// Creates a view that is not the reducer's, with nothing built yet.
  init(transient plan: ViewPlan, _ collection: UInt8) {
    self.plan = plan
    self.collection = collection
    index = Self.emptyIndex(for: plan)
    isKept = false
    builtThrough = 0
  }

  /// Returns an empty index that stays entirely in memory.
  private static func emptyIndex(for plan: ViewPlan) -> RankedIndex {
    RankedIndex(view: .max, IndexHeader(width: plan.wordCount), cacheBytesMax: .max)
  }

  /// Returns a placeholder for a place without a view.
  static func vacant(_ collection: RowCollection) -> KeptView {
    KeptView(transient: ViewPlan(ViewDefinition("", of: collection), seed: 0), 0)
  }

  /// Whether the index reflects the current rows; that of a new view does not yet.
  var isBuilt: Bool { builtThrough == .max }

  /// The rows that the index of a view left alone reflects.
  enum Lag {
    /// The rows as of the beginning of the frame.
    case frame
    /// The rows as of an earlier snapshot, which wrote the index.
    case snapshot
  }

  /// Leaves the index alone from now on.
  func fallBehind(_ lag: Lag) { (builtThrough, self.lag) = (0, lag) }

  /// Notes that the index is up to date with all rows and is kept so from now on.
  func catchUp() { (builtThrough, lag) = (.max, nil) }

  /// Discards what was built.
  func restart() {
    index = Self.emptyIndex(for: plan)
    builtThrough = 0
  }
}

extension KeptView {
  /// The number of the view's lists in the journal.
  var number: UInt16 { UInt16(truncatingIfNeeded: index.view) }

  /// The journal stream of the view's lists.
  var stream: JournalStream { .lists(ofView: number) }

  /// The size in bytes of the nodes that this frame changed.
  var dirtyBytes: Int { index.dirtyCount * index.header.nodeBytes }

  /// The metadata stored with each frame.
  var meta: ViewsMeta.View {
    ViewsMeta.View(
      number: index.view, name: plan.definition.name, hash: plan.hash, header: index.header,
      isAsked: isAsked)
  }
}
