import LMDB

/// Rows and views as loaded from a views' file, or empty without one.
struct LoadedState: ~Copyable {
  var state: ReducerState
  var journal: Journal
  let applied: LogPoint
  /// The views in the file that are no longer kept.
  let former: [FormerView]

  /// Loads the state; a view that the file lacks in its current definition is not built.
  init(_ definitions: Definitions, over base: ViewsBase?, beginning: LogPoint) throws {
    let meta = try base?.readMeta()
    let shelves = definitions.collections.enumerated().map { place, collection in
      let totals = meta?.totals.first { $0.collection == collection.number }?.totals
      let rows = base.map { RowBase($0.reader, $0.file.rows[place], of: collection) }
      return Shelf(
        RowTable(
          collection, over: rows, totals ?? RowTotals(), eventMax: definitions.eventRowsMax))
    }
    let applied = meta?.applied ?? beginning
    var journal = try Journal(
      over: base.map { JournalBase($0.reader, $0.file.journal) }, definitions.journal)
    // Only the journal knows the numbers of views that no longer exist.
    var next = max(journal.catalog.lastView, meta?.views.map(\.number).max() ?? 0) + 1
    let views = definitions.plans.map { plan in
      let known = meta?.views.first { $0.name == plan.definition.name && $0.hash == plan.hash }
      let number = known?.number ?? next
      next += known == nil ? 1 : 0
      let index = RankedIndex(
        view: number, known?.header ?? IndexHeader(width: plan.wordCount),
        base: base.map { NodeBase($0.reader, $0.file.nodes) },
        // Without a base, nothing may be evicted, as it exists nowhere else.
        cacheBytesMax: base == nil ? .max : RankedIndex.cacheBytesMaxDefault)
      let view = KeptView(
        plan, collection: definitions.place(of: plan), index, isBuilt: known != nil)
      view.isAsked = known?.isAsked ?? false
      return view
    }
    journal.begin(definitions.collections, views, after: applied.number.rawValue)
    let names = try Self.names(base)
    let numbers = Set(views.map { $0.index.view })
    let dropped = meta?.views.filter { !numbers.contains($0.number) } ?? []
    former = (meta?.former ?? []) + dropped.map { FormerView($0) }
    self.journal = journal
    self.applied = applied
    state = ReducerState(
      shelves, names, ListBook(views, collectionCount: shelves.count), seed: definitions.seed)
  }

  private static func names(_ base: ViewsBase?) throws(LMDBError) -> NameIndex {
    guard let base else { return NameIndex() }
    return try NameIndex(NameBase(base.reader, base.file.names))
  }
}

extension Journal {
  /// Advances the journal to a number, and begins the unknown streams of some collections and
  /// views.
  fileprivate mutating func begin(
    _ collections: [RowCollection], _ views: [KeptView], after number: UInt64
  ) {
    advance(to: number)
    for collection in collections {
      beginIfUnknown(.rows(of: collection.number), after: number)
    }
    for view in views { beginIfUnknown(view.stream, after: number) }
  }

  /// Begins a stream if it is new, without any history.
  private mutating func beginIfUnknown(_ stream: JournalStream, after number: UInt64) {
    if floor(of: stream) == nil { begin(stream, after: number) }
  }
}
