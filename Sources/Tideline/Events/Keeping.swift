package import EventStore

/// The values of a row, by the numbers of its fields.
package struct RowValues: EventValue {
  /// The values, by the numbers of the row's fields.
  package var fields = PayloadFields()

  /// Creates an empty set of values.
  package init() {}

  /// Creates values from fields.
  package init(_ fields: PayloadFields) { self.fields = fields }

  package static var typeName: String { "values" }
  package static var absent: RowValues? { RowValues() }

  package func put(_ number: Int, into writer: inout PayloadWriter) {
    writer.putFields(number) { $0.put(fields) }
  }

  package func append(to items: inout PayloadWriter.Items) {
    items.appendFields { $0.put(fields) }
  }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    _ = try field.eventFields
    do throws(PayloadError) {
      guard case .fields(let fields) = try PayloadValue(reading: field) else { return }
      self.fields = fields
    } catch {
      throw EventError(.malformed(error))
    }
  }

  package var line: String { "\(fields.count) values" }
}

/// A row as it was at the floor.
package struct RowKept: EventPart {
  /// The number of the row's collection.
  package var collection: Int64 = 0
  /// The row's id.
  package var id = ""
  /// The row's values, except links to other rows.
  package var values = RowValues()
  /// Other ids that find the row.
  package var aliases: [String] = []
  /// When the row is due for a change by time, if ever.
  package var due: Timestamp?
  /// Whether the row no longer exists, and only its ids still find each other.
  package var isGone = false

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "collection", &collection)
    try coder.code(2, "id", &id)
    try coder.code(3, "values", &values)
    try coder.code(4, "aliases", &aliases)
    try coder.code(5, "due", &due)
    try coder.code(6, "isGone", &isGone)
  }
}

/// The state of one object, or texts to which such state refers, kept when the records up to a
/// floor were compacted away.
package struct StateKept: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0901)

  /// The object's id, and the texts to which rows refer by this record's number.
  package var texts = ObjectFields()
  /// The row of the object, then that of its base, then those of its open operations, in order,
  /// each followed by the row that a draft is saved as, or a file was added with.
  package var rows: [RowKept] = []

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(object: &texts)
    try coder.code(512, "rows", &rows)
  }
}
