import LMDB

/// What a reducer keeps, as a store needs it: its collections, its views compiled, and what tells
/// them from those of another build.
struct Definitions: Sendable {
  let reducer: any Reducer
  let collections: [RowCollection]
  let plans: [ViewPlan]
  /// The secret that names and groups are hashed with.
  let seed: UInt64
  /// How many rows of a collection an event may touch, and it is told row by row; otherwise who
  /// looks begins anew.
  let eventRowsMax: Int
  /// How many rows are looked through at a time for an index that is built while the views are
  /// used.
  let sliceRowsMax: Int
  /// How much of the past the journal keeps.
  let journal: JournalLimits

  /// How many these are unless something else is said.
  static let sliceRowsMaxDefault = 2_048

  /// - Precondition: No two collections share a number, no two views a name, and each view is of
  ///   one of the collections.
  init(
    _ reducer: any Reducer, seed: UInt64, eventRowsMax: Int = RowNotes.eventMaxDefault,
    sliceRowsMax: Int = sliceRowsMaxDefault, journal: JournalLimits = JournalLimits()
  ) {
    self.reducer = reducer
    self.eventRowsMax = eventRowsMax
    self.sliceRowsMax = sliceRowsMax
    self.journal = journal
    self.seed = seed
    collections = reducer.collections
    plans = reducer.views.map { ViewPlan($0, seed: seed) }
    precondition(
      Set(collections.map(\.number)).count == collections.count, "collections share a number")
    precondition(
      Set(reducer.views.map(\.name)).count == reducer.views.count, "two views share a name")
    for view in reducer.views {
      precondition(
        collections.contains(view.collection), "\(view.name) is of a collection that isn't kept")
    }
  }

  /// What makes all rows: where it differs, they are made anew.
  ///
  /// A view that differs is built by itself.
  var recipe: Recipe {
    var bytes: [UInt8] = []
    for collection in collections.sorted(by: { $0.number < $1.number }) {
      bytes.append(collection.number)
      for field in collection.fields { bytes += [UInt8(field.number), field.kind.rawValue] }
      bytes.append(0)
    }
    return Recipe(definitions: Mixer.hash(bytes.raw), reducerVersion: reducer.version)
  }

  /// The place of a view's collection.
  func place(of plan: ViewPlan) -> UInt8 {
    UInt8(collections.firstIndex(of: plan.definition.collection) ?? 0)
  }
}
