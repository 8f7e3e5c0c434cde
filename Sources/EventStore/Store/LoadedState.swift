import LMDB

/// Rows and views as a views' file holds them, or as there are none.
struct LoadedState: ~Copyable {
  var state: State
  let applied: Applied

  /// A view that the file doesn't have as it is defined now is not built.
  init(_ definitions: Definitions, over base: ViewsBase?, beginning: Applied) throws {
    let meta = try base?.file.readMeta()
    let shelves = definitions.collections.enumerated().map { place, collection in
      let totals = meta?.totals.first { $0.collection == collection.number }?.totals
      let rows = base.map { RowBase($0.reader, $0.file.rows[place]) }
      return Shelf(RowTable(collection, over: rows, totals ?? RowTotals()))
    }
    var next = (meta?.views.map(\.number).max() ?? 0) + 1
    let views = definitions.plans.map { plan in
      let known = meta?.views.first { $0.name == plan.definition.name && $0.hash == plan.hash }
      let number = known?.number ?? next
      next += known == nil ? 1 : 0
      let index = RankedIndex(
        view: number, known?.header ?? IndexHeader(width: plan.wordCount),
        base: base.map { NodeBase($0.reader, $0.file.nodes) })
      return KeptView(
        plan, collection: definitions.place(of: plan), index, isBuilt: known != nil)
    }
    let names = try Self.names(base)
    state = State(
      shelves, names, ListBook(views, collectionCount: shelves.count),
      seed: definitions.seed)
    applied = meta?.applied ?? beginning
  }
  private static func names(_ base: ViewsBase?) throws(LMDBError) -> NameIndex {
    guard let base else { return NameIndex() }
    return try NameIndex(NameBase(base.reader, base.file.names))
  }
}
