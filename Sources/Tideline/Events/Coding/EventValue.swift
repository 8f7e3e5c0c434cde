package import EventStore

/// A value that a field of an event can hold.
package protocol EventValue: Sendable, Hashable {
  /// The name of the type, for display.
  static var typeName: String { get }

  /// The value of an absent field, or `nil` if the field is required.
  ///
  /// A field with this value is not written, so an event has exactly one encoding.
  static var absent: Self? { get }

  /// The fields within the value, or within its items; empty if it has none.
  static var parts: [EventShape.Field] { get }

  /// Writes the value as a field.
  func put(_ number: Int, into writer: inout PayloadWriter)

  /// Writes the value as an item of a list.
  func append(to items: inout PayloadWriter.Items)

  /// Reads the value from a field or an item.
  init(reading field: borrowing PayloadReader.Field) throws(EventError)

  /// The value for display, as a part of a line.
  var line: String { get }
}

extension EventValue {
  package static var absent: Self? { nil }
  package static var parts: [EventShape.Field] { [] }
}

extension String: EventValue {
  package static var typeName: String { "text" }

  package func put(_ number: Int, into writer: inout PayloadWriter) { writer.put(number, self) }

  package func append(to items: inout PayloadWriter.Items) { items.append(self) }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    do { self = try field.text } catch { throw EventError(.malformed(error)) }
  }

  package var line: String { EventLine.quoted(self) }
}

extension Int64: EventValue {
  package static var typeName: String { "integer" }

  package func put(_ number: Int, into writer: inout PayloadWriter) { writer.put(number, self) }

  package func append(to items: inout PayloadWriter.Items) { items.append(self) }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    do { self = try field.integer } catch { throw EventError(.malformed(error)) }
  }

  package var line: String { description }
}

extension Bool: EventValue {
  package static var typeName: String { "boolean" }
  package static var absent: Bool? { false }

  package func put(_ number: Int, into writer: inout PayloadWriter) { writer.put(number, self) }

  package func append(to items: inout PayloadWriter.Items) { items.append(self) }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    do { self = try field.boolean } catch { throw EventError(.malformed(error)) }
  }

  package var line: String { self ? "yes" : "no" }
}

extension Optional: EventValue where Wrapped: EventValue {
  package static var typeName: String { Wrapped.typeName }
  package static var absent: Wrapped?? { .some(nil) }
  package static var parts: [EventShape.Field] { Wrapped.parts }

  package func put(_ number: Int, into writer: inout PayloadWriter) {
    guard let value = self else { return writer.putNull(number) }
    value.put(number, into: &writer)
  }

  package func append(to items: inout PayloadWriter.Items) {
    guard let value = self else { return items.appendNull() }
    value.append(to: &items)
  }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    self = field.isNull ? nil : try Wrapped(reading: field)
  }

  package var line: String { self?.line ?? "none" }
}

extension Array: EventValue where Element: EventValue {
  package static var typeName: String { "list of \(Element.typeName)" }
  package static var absent: [Element]? { [] }
  package static var parts: [EventShape.Field] { Element.parts }

  package func put(_ number: Int, into writer: inout PayloadWriter) {
    writer.putList(number) { items in for value in self { value.append(to: &items) } }
  }

  package func append(to items: inout PayloadWriter.Items) {
    items.appendList { items in for value in self { value.append(to: &items) } }
  }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    self.init()
    var items = try field.eventItems
    while let item = try items.nextItem() { append(try Element(reading: item)) }
  }

  package var line: String { EventLine.list(self) }
}

extension EventPart {
  package static var typeName: String { "\(Self.self)" }
  package static var parts: [EventShape.Field] { EventShape(of: Self.self).fields }

  package func put(_ number: Int, into writer: inout PayloadWriter) {
    writer.putFields(number) { writer in
      var part = self
      part.code(&writer)
    }
  }

  package func append(to items: inout PayloadWriter.Items) {
    items.appendFields { writer in
      var part = self
      part.code(&writer)
    }
  }

  package init(reading field: borrowing PayloadReader.Field) throws(EventError) {
    self.init()
    var decoder = EventDecoder(try field.eventFields)
    try code(&decoder)
    try decoder.finish()
  }

  package var line: String {
    var part = self
    var line = EventLine("")
    part.code(&line)
    return "(\(line.text.dropFirst()))"
  }
}
