package import EventStore

/// The rules of a toy, plus events that cause trouble; the toy's model takes them for unknown.
package struct Trouble<Base: Reducer>: Reducer {
  /// The kind of events that version 1 refuses.
  package static var refused: EventKind { EventKind(rawValue: 60_001) }
  /// The kind of events that are handed to ``poison``.
  package static var poisoned: EventKind { EventKind(rawValue: 60_002) }
  /// The reason of a refusal.
  package static var reason: String { "it is too early for this" }

  private let base: Base
  private let poison: @Sendable () -> Void
  package let version: Int

  package var views: [ViewDefinition] { base.views }
  package var collections: [RowCollection] { base.collections }

  /// A toy's rules, and the effect of a poisoned event.
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
