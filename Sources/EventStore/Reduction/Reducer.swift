/// What events mean: a pure function from an event and the rows before it to the rows after it.
///
/// No clock, no random, no locale, no disk, no state of its own: everything it needs reaches it in
/// events, so that a log gives the same rows wherever and however often it is replayed. Its *now*
/// is the recorded time of the event.
public protocol Reducer: Sendable {
  /// The version of its rules: rows that another version made are made anew from the log.
  var version: Int { get }
  /// The rows that it keeps.
  var collections: [RowCollection] { get }
  /// The views on these rows that are kept.
  var views: [ViewDefinition] { get }

  /// Changes the rows as the event wants it.
  ///
  /// An event of a kind that it does not know it leaves alone.
  ///
  /// - Throws: ``Refusal`` for an event that it can make no sense of. Nothing of it happens then,
  ///   and it is reported, kept, and tried again by the next version.
  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal)

  /// Says which ids the event is going to ask for, so that what is known of them is fetched from
  /// memory before its turn comes.
  ///
  /// A hint: it changes nothing of what events come to, and where it is wrong it costs time alone.
  /// It is asked only where several events are read from the log, and of any event, even of one
  /// that is refused or damaged: neither its payload's form nor its checksum has been looked at.
  /// Unless a reducer says otherwise, it says nothing.
  func expect(_ event: borrowing RecordView, _ names: inout ExpectedNames)

  /// Sketches the row that an event is going to add, as far as the event alone says what it has, so
  /// that its reduction need but take that: ``ReducerState/row(_:in:sketchedFor:)``.
  ///
  /// It is asked on another thread, and only where events wait for their turn. What it sketches
  /// must be what it would make of the event in its turn, where it makes a row of that id: nothing
  /// of what events come to may depend on it. Unless a reducer says otherwise, it sketches nothing.
  func sketch(_ event: borrowing RecordView, _ sketches: inout RowSketches)

  /// Whether a row of a collection is there for whoever asks a ``PastQuestion``, and not only kept
  /// while nobody is shown it.
  ///
  /// Unless a reducer says otherwise, all are.
  func shows(_ row: Row, in collection: RowCollection) -> Bool
}

extension Reducer {
  /// Says nothing.
  public func expect(_ event: borrowing RecordView, _ names: inout ExpectedNames) {}

  /// Sketches nothing.
  public func sketch(_ event: borrowing RecordView, _ sketches: inout RowSketches) {}

  /// Shows all.
  public func shows(_ row: Row, in collection: RowCollection) -> Bool { true }
}

/// Why a reducer can't make sense of an event.
public struct Refusal: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The reason, for people.
  public let reason: String

  /// A refusal for a reason.
  public init(_ reason: String) { self.reason = reason }

  /// The reason.
  public var description: String { reason }
}
