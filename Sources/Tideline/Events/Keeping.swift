package import EventStore

/// The values of a row, by the numbers of its fields.
package struct RowValues: EventValue {
  /// The values.
  package var fields = PayloadFields()

  /// No values.
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

/// A row as it was.
package struct RowKept: EventPart {
  /// The number of its collection.
  package var collection: Int64 = 0
  /// Its id.
  package var id = ""
  /// Its values, but for links to other rows.
  package var values = RowValues()
  /// Other ids that find it.
  package var aliases: [String] = []
  /// When something happens to it, if anything does.
  package var due: Timestamp?
  /// Whether it is not there any more, and only its ids find each other.
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

/// The records up to a floor were compacted away; this was known of one thing then, or these texts
/// are referred to by what was known.
package struct StateKept: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0901)

  /// The thing's id, and the texts that rows refer to by this record's number.
  package var texts = ObjectFields()
  /// The rows: that of an object, then that of its base, then those of the operations that are open
  /// on it, in their order, each followed by what a draft is saved as, or a file was added with.
  package var rows: [RowKept] = []

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(object: &texts)
    try coder.code(512, "rows", &rows)
  }
}
