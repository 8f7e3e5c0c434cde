package import EventStore

/// A person, by name and address, as in the header of a message.
package struct ObjectPerson: EventPart {
  /// The name.
  package var name: String?
  /// The email address.
  package var email: String?
  /// All other members of the JSON object, as an object.
  package var unknown: EventBytes?

  /// Creates a person without a name or address.
  package init() {}

  /// Creates a person.
  package init(name: String? = nil, email: String?) {
    self.name = name
    self.email = email
  }

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "name", &name)
    try coder.code(2, "email", &email)
    try coder.code(3, "unknown", &unknown)
  }
}

/// A tag, label or folder that an object is under.
package struct ObjectLabel: EventPart {
  /// The label's id.
  package var id = ""
  /// The label's name, if the server sent it.
  package var name: String?
  /// The displayed name, if it is different.
  package var displayName: String?
  /// All other members of the JSON object, as an object.
  package var unknown: EventBytes?

  /// Creates a label with an empty id.
  package init() {}

  /// Creates a label with an id.
  package init(_ id: String, name: String? = nil, displayName: String? = nil) {
    self.id = id
    self.name = name
    self.displayName = displayName
  }

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "id", &id)
    try coder.code(2, "name", &name)
    try coder.code(3, "displayName", &displayName)
    try coder.code(4, "unknown", &unknown)
  }
}

/// Objects as the values of a field.
extension ObjectFields: EventValue {
  package static var typeName: String { "object" }

  package func put(_ number: Int, into writer: inout PayloadWriter) {
    writer.putFields(number) { encode(into: &$0) }
  }

  package func append(to items: inout PayloadWriter.Items) {
    items.appendFields { encode(into: &$0) }
  }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    var reader = try field.eventFields
    try self.init(whole: &reader)
  }

  /// The fields and their values; for lists, the number of items.
  package var line: String {
    numbers.map { number in
      guard let field = ObjectField(rawValue: number) else { return "field \(number)" }
      return "\(field.name)=\(line(of: field))"
    }.joined(separator: " ")
  }

  private func line(of field: ObjectField) -> String {
    guard !isNull(field) else { return "null" }
    return switch field.content {
    case .text: text(field)?.line ?? ""
    case .json: "\(json(field)?.count ?? 0) bytes"
    case .integer: integer(field)?.line ?? ""
    case .time: time(field)?.line ?? ""
    case .boolean: boolean(field)?.line ?? ""
    case .change: change.line
    case .people: "\(people(field)?.count ?? 0) people"
    case .labels: EventLine.list((labels(field) ?? []).map(\.id))
    case .texts: texts(field)?.line ?? ""
    case .files: "\(files(field)?.count ?? 0) files"
    }
  }
}
