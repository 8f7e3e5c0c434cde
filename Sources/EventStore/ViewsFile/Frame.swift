import LMDB

/// The changes of one frame, to be committed to the views at once.
struct Frame: Sendable {
  /// The last record in the frame.
  let applied: LogPoint
  let names: FrozenNames
  let rows: [FrozenRows]
  let nodes: [FrozenNodes]
  /// The keys of the nodes to remove, of views that are no longer kept.
  let removals: [ClosedRange<UInt64>]
  let journal: FrozenJournal
  let refused: [RefusedEvent]
  let meta: ViewsMeta
  let mark: FrameMark
}
