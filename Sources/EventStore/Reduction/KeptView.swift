/// A view as a workspace keeps it: its plan, and the index of its rows.
final class KeptView {
  let plan: ViewPlan
  /// The place of its collection among the reducer's.
  let collection: UInt8
  var index: RankedIndex
  /// Whether the index is of the rows that there are; one of a view that is new is not yet.
  var isBuilt: Bool
  /// How many bytes of changed nodes were counted in.
  var countedBytes = 0

  init(
    _ plan: ViewPlan, collection: UInt8, _ index: consuming RankedIndex, isBuilt: Bool
  ) {
    self.plan = plan
    self.collection = collection
    self.index = index
    self.isBuilt = isBuilt
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
      number: index.view, name: plan.definition.name, hash: plan.hash, header: index.header)
  }
}
