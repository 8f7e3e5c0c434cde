package import EventStore

/// An event in an inbox, or a request to it: the content of a record's payload.
///
/// The record's header has the rest: the time, the login, the cause, and the exchange that carried
/// it. Ids here are therefore the server's own, without the account.
package protocol InboxEvent: Sendable, Hashable {
  /// The kind of event.
  var kind: EventKind { get }
  /// The version in which it is written: the last one of its kind.
  var version: UInt8 { get }
  /// Whether it is a fact, or an intent of the person or the application.
  var origin: Event.Origin { get }

  /// The objects that the event names.
  var names: [ObjectName] { get }
  /// The only object of the event, whose fingerprint is in the record's header.
  var entity: ObjectName? { get }

  /// Writes the event's fields.
  func encode(into writer: inout PayloadWriter)

  /// The event on one line, for display.
  var line: String { get }
}

extension InboxEvent {
  package var names: [ObjectName] { entity.map { [$0] } ?? [] }
  package var entity: ObjectName? { nil }

  /// The encoded payload.
  package var payload: [UInt8] { PayloadWriter.bytes { encode(into: &$0) } }
}

/// An event with a type of its own, whose fields are listed once for all purposes.
///
///     let event = MarkRead {
///       $0.ids = ["m1"]
///       $0.isRead = true
///     }
///
/// A reader skips fields that it doesn't know, so pass an event on by copying its payload.
package protocol FieldedEvent: InboxEvent, EventPart {
  /// The kind of events of this type.
  static var kind: EventKind { get }
  /// The last version of the kind.
  static var version: UInt8 { get }
  /// Whether events of this type are facts or intents.
  static var origin: Event.Origin { get }

  /// Converts the fields of an older version to those of the next one.
  ///
  /// Called once for each version between the one that was read and the last.
  static func upcast(_ fields: inout PayloadFields, from version: UInt8) throws(EventError)
}

extension FieldedEvent {
  package static var version: UInt8 { 1 }
  package static var origin: Event.Origin { .fact }
  package static func upcast(_ fields: inout PayloadFields, from version: UInt8) {}

  package var kind: EventKind { Self.kind }
  package var version: UInt8 { Self.version }
  package var origin: Event.Origin { Self.origin }

  package func encode(into writer: inout PayloadWriter) {
    var event = self
    event.code(&writer)
  }

  /// The name in words, then each field that has a value.
  package var line: String {
    var event = self
    var line = EventLine(Self.words)
    event.code(&line)
    return line.text
  }

  /// The name of the type in words: `mark read` for `MarkRead`.
  private static var words: String {
    let name = Array("\(Self.self)")
    var words = ""
    for (index, character) in name.enumerated() {
      let beginsWord = character.isUppercase && name.dropFirst(index + 1).first?.isLowercase == true
      if beginsWord, index > 0 { words.append(" ") }
      words.append(character.lowercased())
    }
    return words
  }

  /// Decodes the payload of a version of the kind, and checks all of it.
  ///
  /// - Throws: ``EventError`` for any bytes that are not such an event.
  package init(
    decoding payload: RawSpan, version: UInt8 = Self.version
  ) throws(EventError) {
    do throws(EventError) {
      guard 1...Self.version ~= version else {
        throw EventError(.unknownVersion(version, last: Self.version))
      }
      if version == Self.version {
        try self.init(current: payload)
      } else {
        let bytes = try Self.upcast(payload, from: version)
        try self.init(current: bytes.payloadBytes)
      }
    } catch {
      throw error.of(Self.kind)
    }
  }

  private init(current payload: RawSpan) throws(EventError) {
    self.init()
    var decoder = EventDecoder(PayloadReader(payload))
    try code(&decoder)
    try decoder.finish()
  }

  private static func upcast(
    _ payload: RawSpan, from version: UInt8
  ) throws(EventError) -> [UInt8] {
    var fields: PayloadFields
    do { fields = try PayloadFields(decoding: payload) } catch {
      throw EventError(.malformed(error))
    }
    for version in version..<Self.version { try upcast(&fields, from: version) }
    return fields.encoded
  }
}
