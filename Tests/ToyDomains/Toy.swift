package import EventStore
package import TestSupport

/// A small domain that the engine is tried with: what can happen, a reducer for it, and a plain
/// model of what it must come to.
package protocol Toy {
  /// What it comes to, by the simplest means there are.
  associatedtype Model: ToyModel
  /// How likely things are to happen.
  associatedtype Mix: ToyMix where Mix.Happening == Model.Happening
  /// What it comes to, by the engine's means.
  associatedtype Rules: Reducer

  /// The first of its collections.
  static var collection: RowCollection { get }
  /// The views that the toy is usually shown in.
  static var views: Model.Views { get }
  /// Views with random conditions, groups and orders, beside those that the reducer itself needs.
  static func randomViews(using generator: inout SeededGenerator) -> Model.Views
  /// The reducer that keeps these views.
  static func rules(_ views: Model.Views, version: Int) -> Rules
}

/// Something that happens in a toy, as a plain value.
package protocol ToyHappening: Hashable, Sendable {
  /// What a record says; what it can't say is thrown.
  init(_ kind: EventKind, _ payload: RawSpan) throws(PayloadError)
  /// The kind of event that says it.
  var kind: EventKind { get }
  /// Writes what the kind alone doesn't say.
  func write(to writer: inout PayloadWriter)
}

extension ToyHappening {
  /// The event that says it, as the last of a batch.
  package func append(to batch: inout Batch, recordedAt: Timestamp = Timestamp(rawValue: 0)) {
    batch.add(Event(kind: kind, recordedAt: recordedAt)) { writer in write(to: &writer) }
  }
}

extension Batch {
  /// A batch of what happens, in order.
  package init(_ happenings: some Sequence<some ToyHappening>) {
    self.init()
    for happening in happenings { happening.append(to: &self) }
  }
}

/// What a toy's events come to: plain values in dictionaries, and views by filtering and sorting.
package protocol ToyModel: Sendable {
  /// What can happen.
  associatedtype Happening: ToyHappening
  /// The views.
  associatedtype Views: Sendable

  /// Nothing has happened yet; the model has these views.
  init(views: Views)

  /// The definitions of the views.
  var definitions: [ViewDefinition] { get }

  /// Lets something happen in the record of that number; `false` where the reducer refuses it, so
  /// that nothing changes.
  mutating func apply(_ happening: Happening, _ number: RecordNumber) -> Bool

  /// The rows of a view or of one of its groups, in its order.
  mutating func rows(in view: String, group: String?) -> [Row]

  /// The groups of a view that have rows; of one without groups, `nil` alone.
  func groups(of view: String) -> [String?]

  /// The row that an id finds in the toy's first collection.
  func row(_ id: String) -> Row?
}

/// How likely things are to happen in a toy.
package protocol ToyMix: Sendable {
  /// What can happen.
  associatedtype Happening: ToyHappening

  /// A mix with limits and likelihoods of its own.
  static func random(using generator: inout SeededGenerator) -> Self

  /// An id that things happen to, at times.
  func id(using generator: inout SeededGenerator) -> String

  /// The next thing to happen.
  func happening(using generator: inout SeededGenerator) -> Happening
}
