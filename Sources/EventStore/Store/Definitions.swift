import LMDB

/// A reducer's definitions as a store needs them: its collections, its compiled views, and the
/// recipe that tells them from those of another build.
///
/// A class, because every read of a store hands them on.
final class Definitions: Sendable {
  let reducer: any Reducer
  let collections: [RowCollection]
  let plans: [ViewPlan]
  /// The secret seed for hashing names and groups.
  let seed: UInt64
  /// The maximum number of a collection's rows that an event may touch and still be reported row by
  /// row; beyond it, subscribers get a reset.
  let eventRowsMax: Int
  /// The number of rows per slice when an index is built while the views are in use.
  let sliceRowsMax: Int
  /// How much history the journal keeps.
  let journal: JournalLimits
  /// The records to leave out because reducing them ended the process.
  let skipped: Set<RecordNumber>
  /// The index of each view, by name.
  private let numbers: [String: Int]

  /// The default of `sliceRowsMax`.
  static let sliceRowsMaxDefault = 2_048

  /// - Precondition: No two collections share a number, no two views share a name, and each view is
  ///   over one of the collections.
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
    skipped = []
    let names = zip(plans.map(\.definition.name), plans.indices)
    numbers = Dictionary(names) { first, _ in first }
    precondition(
      Set(collections.map(\.number)).count == collections.count, "collections share a number")
    precondition(numbers.count == plans.count, "two views share a name")
    for view in reducer.views {
      precondition(
        collections.contains(view.collection), "\(view.name) is of a collection that isn't kept")
    }
  }

  /// Creates the same definitions with other records to leave out.
  init(_ other: Definitions, without skipped: Set<RecordNumber>) {
    (reducer, collections, plans, seed) = (
      other.reducer, other.collections, other.plans, other.seed
    )
    (eventRowsMax, sliceRowsMax, journal) = (
      other.eventRowsMax, other.sliceRowsMax, other.journal
    )
    (self.skipped, numbers) = (skipped, other.numbers)
  }

  /// Creates the definitions of a replay, which leaves out the records that the views beside the
  /// log leave out: it would end the process at them as well.
  ///
  /// - Precondition: As without a log.
  convenience init(_ reducer: any Reducer, replaying log: Log) {
    let all = Definitions(reducer, seed: log.viewsSeed)
    let views = Folder(log.path).folder("..").ofViews
    let memory = try? CrashGuard.read(in: views, log: log.standing(), recipe: all.recipe)
    self.init(all, without: Set(memory?.skipped ?? []))
  }

  /// The recipe of all rows: if it differs, they are rebuilt.
  ///
  /// A view that differs is rebuilt on its own.
  var recipe: Recipe {
    var bytes: [UInt8] = []
    for collection in collections.sorted(by: { $0.number < $1.number }) {
      bytes.append(collection.number)
      for field in collection.fields { bytes += [UInt8(field.number), field.kind.rawValue] }
      bytes.append(0)
    }
    return Recipe(definitions: Mixer.hash(bytes.raw), reducerVersion: reducer.version)
  }

  /// Returns the id of a list.
  func id(of list: ListName) -> ListID {
    let number = number(of: list.view)
    return ListID(view: number, group: plans[number].word(of: list))
  }

  /// Returns the index of a view among the reducer's views.
  func number(of name: String) -> Int {
    guard let number = numbers[name] else {
      preconditionFailure("\(name) is not one of the reducer's views")
    }
    return number
  }

  /// Returns the index of a view's collection.
  func place(of plan: ViewPlan) -> UInt8 {
    UInt8(collections.firstIndex(of: plan.definition.collection) ?? 0)
  }
}
