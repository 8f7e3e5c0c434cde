import LMDB

/// A view as a workspace keeps it: its plan, and the index of its rows.
final class KeptView {
  let plan: ViewPlan
  /// The place of its collection among the reducer's.
  let collection: UInt8
  var index: RankedIndex
  /// Whether it is one of the reducer's, which are journaled and committed.
  let isKept: Bool
  /// The number of the last row that the index knows of: none where nothing is built, and any where
  /// all is.
  var builtThrough: UInt32
  /// Which rows the index is of, where it was left alone since.
  private(set) var lag: Lag?
  /// How many bytes of changed nodes were counted in.
  var countedBytes = 0
  /// Whether the reducer has asked it since the rows were made anew.
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

  /// A view that is not the reducer's, of which nothing is built yet.
  init(transient plan: ViewPlan, _ collection: UInt8) {
    self.plan = plan
    self.collection = collection
    index = Self.emptyIndex(for: plan)
    isKept = false
    builtThrough = 0
  }

  /// An index in memory, all of which stays there.
  private static func emptyIndex(for plan: ViewPlan) -> RankedIndex {
    RankedIndex(view: .max, IndexHeader(width: plan.wordCount), cacheBytesMax: .max)
  }

  /// What stands at a place where there is no view.
  static func vacant(_ collection: RowCollection) -> KeptView {
    KeptView(transient: ViewPlan(ViewDefinition("", of: collection), seed: 0), 0)
  }

  /// Whether the index is of the rows that there are; one of a view that is new is not yet.
  var isBuilt: Bool { builtThrough == .max }

  /// Which rows the index of a view is of that is left alone.
  enum Lag {
    /// Those that there were when the frame began.
    case frame
    /// Those that there were when it was written, with a snapshot before.
    case snapshot
  }

  /// Leaves the index alone from now on.
  func fallBehind(_ lag: Lag) { (builtThrough, self.lag) = (0, lag) }

  /// Notes that the index knows of what happened to all rows meanwhile, and is told from now on.
  func catchUp() { (builtThrough, lag) = (.max, nil) }

  /// Forgets what was built.
  func restart() {
    index = Self.emptyIndex(for: plan)
    builtThrough = 0
  }
}

extension KeptView {
  /// The number of its lists in the journal.
  var number: UInt16 { UInt16(truncatingIfNeeded: index.view) }

  /// Where its lists are journaled.
  var stream: JournalStream { .lists(ofView: number) }

  /// The bytes that the nodes take which this frame changed.
  var dirtyBytes: Int { index.dirtyCount * index.header.nodeBytes }

  /// What is kept of it with each frame.
  var meta: ViewsMeta.View {
    ViewsMeta.View(
      number: index.view, name: plan.definition.name, hash: plan.hash, header: index.header,
      isAsked: isAsked)
  }
}
