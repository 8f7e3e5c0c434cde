import EventStore

extension ObjectFields {
  /// Creates the fields of an object that are known or have a value, as a server would report them.
  ///
  /// - Parameters:
  ///   - body: The object's text, to which the object itself only refers.
  ///   - texts: Such texts by the properties that refer to them; `nil` for one that doesn't exist.
  /// - Throws: `RowError` if no row can hold the object.
  init<Object: Model>(
    _ object: Object, body: String? = nil, texts: [KeyPath<Object, TextReference?>: String?] = [:]
  ) throws(RowError) {
    self.init()
    put(.id, object.toldID)
    guard let kind = ObjectKind.told(Object.objectClass) else { return }
    let row = try object.row()
    let said = FieldBits(bitPattern: object.known) | row.presence
    // A whole object clears its other fields by itself; a rich message, which may be in parts,
    // doesn't.
    let clears = object.known == -1 && kind.objectClass != .rich
    for (number, column) in kind.columns.enumerated() {
      guard let column, let field = ObjectField(rawValue: number), field != .id,
        column.isMain(field), said & column.field.bit != 0
      else { continue }
      put(field, column, of: row, clears: clears)
    }
    if let body { put(.body, body) }
    for (keyPath, text) in texts {
      if let field = kind.text(in: Object.property(keyPath)?.field) { put(field, text: text) }
    }
  }

  /// Puts a text, the bytes of JSON, or null.
  private mutating func put(_ field: ObjectField, text: String?) {
    switch (text, field.content) {
    case (nil, _): putNull(field)
    case (let text?, .json): put(field, json: Array(text.utf8))
    case (let text?, _): put(field, text)
    }
  }

  private mutating func put(
    _ field: ObjectField, _ column: FactColumn, of row: Row, clears: Bool
  ) {
    switch column {
    case .text(let source), .snippet(let source):
      put(field, row[source], clears) { $0.put($1, $2) }
    case .time(let source): put(field, row[source], clears) { $0.put($1, $2) }
    case .number(let source), .version(let source):
      put(field, row[source].map(Int64.init), clears) { $0.put($1, $2) }
    case .flag(let source): put(field, row[source] ?? false)
    case .participants(let source), .people(let source):
      let people = row[source].flatMap([Participant].init(kept:)) ?? []
      put(field, people.map { ObjectPerson(name: $0.name, email: $0.email) })
    case .tags(let source), .labels(let source):
      put(field, (row[source] ?? []).sorted().map { ObjectLabel($0) })
    case .ids(let source): put(field, (row[source] ?? []).sorted())
    case .state(let source): if let word = row[source]?.word { put(field, word) }
    case .reference, .opposite, .tag, .files: break
    }
  }

  private mutating func put<Value>(
    _ field: ObjectField, _ value: Value?, _ clears: Bool,
    _ write: (inout ObjectFields, ObjectField, Value) -> Void
  ) {
    if let value {
      write(&self, field, value)
    } else if !clears {
      putNull(field)
    }
  }
}

extension Model {
  /// The id of the object in facts; an account's is the server's, or empty.
  fileprivate var toldID: String {
    guard let account = self as? Account else { return id }
    return account.serverID ?? ""
  }
}

extension ObjectKind {
  /// Returns the field of facts that has the text to which a row's field refers.
  fileprivate func text(in target: FieldDeclaration?) -> ObjectField? {
    columns.firstIndex { column in
      if case .reference(let field)? = column { field.declaration == target } else { false }
    }.flatMap(ObjectField.init(rawValue:))
  }
}

extension FactColumn {
  /// Whether the field is the most complete of those that are stored in the same column.
  fileprivate func isMain(_ field: ObjectField) -> Bool {
    switch field {
    case .labels, .folders: false
    default: true
    }
  }
}
