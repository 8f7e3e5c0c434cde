import LMDB

/// What one frame changed, to be committed to the views at once.
struct Frame: Sendable {
  /// The last record that is in it.
  let applied: Applied
  let names: FrozenNames
  let rows: [FrozenRows]
  let nodes: [FrozenNodes]
  /// The keys of nodes that are to be removed, of views that are kept no more.
  let removals: [ClosedRange<UInt64>]
  let journal: FrozenJournal
  let refused: [RefusedEvent]
  let meta: ViewsMeta
  let mark: FrameMark
}
