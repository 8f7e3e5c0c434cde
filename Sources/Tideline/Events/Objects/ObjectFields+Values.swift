package import EventStore

/// Puts values; a field whose content has another type is a programming error, and traps.
extension ObjectFields {
  /// Puts a text.
  package mutating func put(_ field: ObjectField, _ value: String) {
    field.expect(.text)
    put(raw: field) { $0.put($1, value) }
  }

  /// Puts an integer.
  package mutating func put(_ field: ObjectField, _ value: Int64) {
    field.expect(.integer)
    put(raw: field) { $0.put($1, value) }
  }

  /// Puts a boolean.
  package mutating func put(_ field: ObjectField, _ value: Bool) {
    field.expect(.boolean)
    put(raw: field) { $0.put($1, value) }
  }

  /// Puts the change of the object.
  package mutating func put(_ field: ObjectField, _ value: ObjectChange) {
    field.expect(.change)
    put(raw: field) { $0.put($1, value.rawValue) }
  }

  /// Puts a time, and the text from which it was read, if any.
  ///
  /// A text that isn't a valid time is put alone, so that it is not lost.
  package mutating func put(_ field: ObjectField, _ value: Timestamp?, text: String? = nil) {
    field.expect(.time)
    if let value { put(raw: field) { $0.put($1, value.rawValue) } }
    if let text, let original = field.original { put(original, text) }
  }

  /// Puts the bytes of JSON, as the server wrote it.
  package mutating func put(_ field: ObjectField, json: [UInt8]) {
    field.expect(.json)
    put(raw: field) { $0.put($1, json) }
  }

  /// Puts people.
  package mutating func put(_ field: ObjectField, _ value: [ObjectPerson]) {
    field.expect(.people)
    put(raw: field) { value.put($1, into: &$0) }
  }

  /// Puts tags, labels or folders.
  package mutating func put(_ field: ObjectField, _ value: [ObjectLabel]) {
    field.expect(.labels)
    put(raw: field) { value.put($1, into: &$0) }
  }

  /// Puts ids.
  package mutating func put(_ field: ObjectField, _ value: [String]) {
    field.expect(.texts)
    put(raw: field) { value.put($1, into: &$0) }
  }

  /// Puts files, with the fields of their own.
  package mutating func put(_ field: ObjectField, _ value: [ObjectFields]) {
    field.expect(.files)
    put(raw: field) { value.put($1, into: &$0) }
  }

  /// Puts null, which differs from putting nothing.
  package mutating func putNull(_ field: ObjectField) {
    put(raw: field) { $0.putNull($1) }
  }
}

/// Reads values; `nil` if the field is absent, null, or of another type.
extension ObjectFields {
  private func value<Value: EventValue>(_ field: ObjectField) -> Value? {
    read(field) { field throws(EventError) in try Value(reading: field) }
  }

  /// The object's id.
  package var id: String? { text(.id) }

  /// The change of the object.
  package var change: ObjectChange { value(.change) ?? .changed }

  /// Returns a text.
  package func text(_ field: ObjectField) -> String? { value(field) }

  /// Returns an integer.
  package func integer(_ field: ObjectField) -> Int64? { value(field) }

  /// Returns a boolean.
  package func boolean(_ field: ObjectField) -> Bool? { value(field) }

  /// Returns a time.
  package func time(_ field: ObjectField) -> Timestamp? { value(field) }

  /// Returns the bytes of JSON.
  package func json(_ field: ObjectField) -> [UInt8]? {
    read(field) { field throws(EventError) in try EventBytes(reading: field).bytes }
  }

  /// Returns people.
  package func people(_ field: ObjectField) -> [ObjectPerson]? { value(field) }

  /// Returns tags, labels or folders.
  package func labels(_ field: ObjectField) -> [ObjectLabel]? { value(field) }

  /// Returns ids.
  package func texts(_ field: ObjectField) -> [String]? { value(field) }

  /// Returns files.
  package func files(_ field: ObjectField) -> [ObjectFields]? { value(field) }
}

extension ObjectField {
  fileprivate func expect(_ expected: Content) {
    precondition(content == expected, "field \(name) holds \(content), not \(expected)")
  }

  /// Reads all of a field, so that anything malformed is found.
  func check(_ field: borrowing PayloadReader.Field) throws(EventError) {
    guard !field.isNull else { return }
    do throws(EventError) { try checkContent(of: field) } catch { throw error.within(name) }
  }

  private func checkContent(of field: borrowing PayloadReader.Field) throws(EventError) {
    switch content {
    case .text: _ = try String(reading: field)
    case .json: _ = try EventBytes(reading: field)
    case .integer, .time: _ = try Int64(reading: field)
    case .boolean: _ = try Bool(reading: field)
    case .change: _ = try ObjectChange(reading: field)
    case .people: _ = try [ObjectPerson](reading: field)
    case .labels: _ = try [ObjectLabel](reading: field)
    case .texts: _ = try [String](reading: field)
    case .files: _ = try [ObjectFields](reading: field)
    }
  }
}
