package import EventStore
package import TestSupport

/// A small domain to test the engine with: its events, a reducer for them, and a plain model of the
/// expected state.
package protocol Toy {
  /// The model of the state, by the simplest means.
  associatedtype Model: ToyModel
  /// The likelihoods of events.
  associatedtype Mix: ToyMix where Mix.Happening == Model.Happening
  /// The reducer of the state, by the engine's means.
  associatedtype Rules: Reducer

  /// The first of the toy's collections.
  static var collection: RowCollection { get }
  /// The toy's usual views.
  static var views: Model.Views { get }
  /// Returns views with random conditions, groups and orders, besides those that the reducer needs.
  static func randomViews(using generator: inout SeededGenerator) -> Model.Views
  /// Returns the reducer that maintains these views.
  static func rules(_ views: Model.Views, version: Int) -> Rules
}

/// An event of a toy, as a plain value.
package protocol ToyHappening: Hashable, Sendable {
  /// Decodes a record's payload; throws if that fails.
  init(_ kind: EventKind, _ payload: RawSpan) throws(PayloadError)
  /// The kind of the event.
  var kind: EventKind { get }
  /// Writes the payload: what the kind alone doesn't say.
  func write(to writer: inout PayloadWriter)
}

extension ToyHappening {
  /// Appends the event to a batch.
  package func append(to batch: inout Batch, recordedAt: Timestamp = Timestamp(rawValue: 0)) {
    batch.add(Event(kind: kind, recordedAt: recordedAt)) { writer in write(to: &writer) }
  }
}

extension Batch {
  /// A batch of events, in order.
  package init(_ happenings: some Sequence<some ToyHappening>) {
    self.init()
    for happening in happenings { happening.append(to: &self) }
  }
}

/// The expected state of a toy: plain values in dictionaries, and views by filtering and sorting.
package protocol ToyModel: Sendable {
  /// The toy's events.
  associatedtype Happening: ToyHappening
  /// The views.
  associatedtype Views: Sendable

  /// A model with these views, before any event.
  init(views: Views)

  /// The definitions of the views.
  var definitions: [ViewDefinition] { get }

  /// Applies the event of the record with that number; returns `false` if the reducer refuses it
  /// and nothing changes.
  mutating func apply(_ happening: Happening, _ number: RecordNumber) -> Bool

  /// Returns the rows of a view or of one of its groups, in its order.
  mutating func rows(in view: String, group: String?) -> [Row]

  /// Returns the groups of a view that have rows; `nil` alone for a view without groups.
  func groups(of view: String) -> [String?]

  /// Returns the row that an id finds in the toy's first collection.
  func row(_ id: String) -> Row?
}

/// The likelihoods of a toy's events.
package protocol ToyMix: Sendable {
  /// The toy's events.
  associatedtype Happening: ToyHappening

  /// Returns a mix with random limits and likelihoods.
  static func random(using generator: inout SeededGenerator) -> Self

  /// Returns an id that events are sometimes about.
  func id(using generator: inout SeededGenerator) -> String

  /// Returns the next event.
  func happening(using generator: inout SeededGenerator) -> Happening
}
