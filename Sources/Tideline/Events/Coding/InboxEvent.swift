package import EventStore

/// Something that happened to an inbox, or that is wanted of it: what a record's payload says.
///
/// The record's header says the rest: when, under which login, what led to it, which exchange
/// carried it. So ids are the server's own here, without the account.
package protocol InboxEvent: Sendable, Hashable {
  /// What it is about.
  var kind: EventKind { get }
  /// The version that it is written in: the last one of its kind.
  var version: UInt8 { get }
  /// Whether it is a fact, or an intent of the person or the application.
  var origin: Event.Origin { get }

  /// The things that it is about, where it names them.
  var names: [ObjectName] { get }
  /// The one thing that it is about, which its record's header has the fingerprint of.
  var entity: ObjectName? { get }

  /// Writes its fields.
  func encode(into writer: inout PayloadWriter)

  /// The event for people, on one line.
  var line: String { get }
}

extension InboxEvent {
  package var names: [ObjectName] { entity.map { [$0] } ?? [] }
  package var entity: ObjectName? { nil }

  /// The bytes of its payload.
  package var payload: [UInt8] { PayloadWriter.bytes { encode(into: &$0) } }
}

/// An event that is a type of its own, whose fields are listed once for all that is done with them.
///
///     let event = MarkRead {
///       $0.ids = ["m1"]
///       $0.isRead = true
///     }
///
/// A reader skips fields that it doesn't know, so whoever passes an event on copies its payload.
package protocol FieldedEvent: InboxEvent, EventPart {
  /// What events of this type are about.
  static var kind: EventKind { get }
  /// The last version of the kind.
  static var version: UInt8 { get }
  /// Whether they are facts or intents.
  static var origin: Event.Origin { get }

  /// Makes the fields of an older version those of the next one.
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

  /// Its name in words, then each field that says something.
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

  /// Reads the payload of a version of the kind, checking all of it.
  ///
  /// - Throws: ``EventError`` for bytes that are not such an event, whatever they are.
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
