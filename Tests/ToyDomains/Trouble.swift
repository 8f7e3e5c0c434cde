package import EventStore

/// The rules of a toy with events that make trouble; its model takes them for unknown ones.
package struct Trouble<Base: Reducer>: Reducer {
  /// Events of this kind are refused by version 1.
  package static var refused: EventKind { EventKind(rawValue: 60_001) }
  /// Events of this kind are handed to ``poison``.
  package static var poisoned: EventKind { EventKind(rawValue: 60_002) }
  /// Why events are refused.
  package static var reason: String { "it is too early for this" }

  private let base: Base
  private let poison: @Sendable () -> Void
  package let version: Int

  package var views: [ViewDefinition] { base.views }
  package var collections: [RowCollection] { base.collections }

  /// The rules, and what a poisoned event does.
  package init(
    _ base: Base, version: Int = 1, poison: @escaping @Sendable () -> Void = {}
  ) {
    self.base = base
    self.version = version
    self.poison = poison
  }

  package func reduce(
    _ event: borrowing RecordView, into state: inout ReducerState
  ) throws(Refusal) {
    let kind = event.header.kind
    if kind == Self.poisoned { poison() }
    if kind == Self.refused, version == 1 { throw Refusal(Self.reason) }
    try base.reduce(event, into: &state)
  }

  package func expect(_ event: borrowing RecordView, _ names: inout ExpectedNames) {
    base.expect(event, &names)
  }

  package func sketch(_ event: borrowing RecordView, _ sketches: inout RowSketches) {
    base.sketch(event, &sketches)
  }
}
