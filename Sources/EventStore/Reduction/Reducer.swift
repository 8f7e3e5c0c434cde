/// The meaning of events: a pure function from an event and the rows before it to the rows after
/// it.
///
/// A reducer uses no clock, randomness, locale, disk, or state of its own. All its input arrives in
/// events, so a log yields the same rows wherever and however often it is replayed. Its *now* is
/// the recorded time of the event.
public protocol Reducer: Sendable {
  /// The version of the reducer's rules; rows from another version are rebuilt from the log.
  var version: Int { get }
  /// The rows that the reducer keeps.
  var collections: [RowCollection] { get }
  /// The views on these rows that are kept.
  var views: [ViewDefinition] { get }

  /// Applies an event to the rows.
  ///
  /// A reducer ignores an event of an unknown kind.
  ///
  /// - Throws: ``Refusal`` for an event that makes no sense to the reducer. The event then has no
  ///   effect; it is reported, kept, and tried again by the next version.
  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal)

  /// Announces the ids that an event will look up, so that their data is fetched into cache before
  /// the event's turn comes.
  ///
  /// This is a hint: it never affects the outcome of events, and a wrong hint only costs time. It
  /// is called only when several events are read from the log, and for any event, even a refused or
  /// damaged one: neither the payload's form nor its checksum has been checked. The default
  /// implementation announces nothing.
  func expect(_ event: borrowing RecordView, _ names: inout ExpectedNames)

  /// Sketches the row that an event will add, as far as the event alone determines it, so that
  /// reducing the event can simply take the sketch: ``ReducerState/row(_:in:sketchedFor:)``.
  ///
  /// It runs on another thread, and only while events wait for their turn. A sketch must equal what
  /// the reducer would make of the event in its turn if it creates a row with that id: the outcome
  /// of events must not depend on sketching. The default implementation sketches nothing.
  func sketch(_ event: borrowing RecordView, _ sketches: inout RowSketches)

  /// Whether a row of a collection is visible to a ``PastQuestion`` rather than kept without being
  /// shown.
  ///
  /// By default, all rows are visible.
  func shows(_ row: Row, in collection: RowCollection) -> Bool
}

extension Reducer {
  /// Announces nothing.
  public func expect(_ event: borrowing RecordView, _ names: inout ExpectedNames) {}

  /// Sketches nothing.
  public func sketch(_ event: borrowing RecordView, _ sketches: inout RowSketches) {}

  /// Shows all rows.
  public func shows(_ row: Row, in collection: RowCollection) -> Bool { true }
}

/// The reason why a reducer can't make sense of an event.
public struct Refusal: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The human-readable reason.
  public let reason: String

  /// Creates a refusal with a reason.
  public init(_ reason: String) { self.reason = reason }

  /// The reason.
  public var description: String { reason }
}
