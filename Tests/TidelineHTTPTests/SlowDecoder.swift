import EventStore
import Foundation
import Tideline

/// Decodes objects from Foundation's JSON tree, field by field, as plainly as possible.
enum SlowDecoder {
  struct Unreadable: Error {}

  /// The kinds of values that the members of an object have.
  enum Kind { case text, integer, flag, time, people, labels, texts, files }

  static let members: [ObjectClass: [String: (ObjectField, Kind)]] = [
    .thread: [
      "subject": (.subject, .text), "snippet": (.snippet, .text),
      "first_message_timestamp": (.firstMessageDate, .time),
      "last_message_timestamp": (.lastMessageDate, .time),
      "last_message_received_timestamp": (.lastReceivedDate, .time),
      "last_message_sent_timestamp": (.lastSentDate, .time), "unread": (.isUnread, .flag),
      "starred": (.isStarred, .flag), "has_attachments": (.hasAttachments, .flag),
      "participants": (.participants, .people), "tags": (.tags, .labels),
      "labels": (.labels, .labels), "folders": (.folders, .labels),
      "message_ids": (.messageIDs, .texts), "draft_ids": (.draftIDs, .texts),
    ],
    .message: letter, .draft: letter.merging(["state": (.state, .text)]) { $1 },
    .tag: [
      "name": (.name, .text), "display_name": (.displayName, .text),
      "readonly": (.isReadOnly, .flag), "unread_count": (.unreadCount, .integer),
      "thread_count": (.threadCount, .integer),
    ],
    .contact: [
      "name": (.name, .text), "email": (.email, .text), "provider_name": (.provider, .text),
      "source": (.source, .text), "uid": (.uid, .text), "phone_numbers": (.phoneNumbers, .texts),
    ],
    .file: [
      "content_type": (.contentType, .text), "filename": (.filename, .text),
      "content_id": (.contentID, .text), "size": (.size, .integer),
      "message_ids": (.messageIDs, .texts),
    ],
    .account: [
      "name": (.name, .text), "email_address": (.email, .text), "status": (.status, .text),
      "provider": (.provider, .text), "scope": (.scope, .text), "last_sync": (.lastSync, .time),
    ],
  ]

  private static let letter: [String: (ObjectField, Kind)] = [
    "subject": (.subject, .text), "snippet": (.snippet, .text), "body": (.body, .text),
    "thread_id": (.thread, .text), "date": (.date, .time), "unread": (.isUnread, .flag),
    "starred": (.isStarred, .flag), "from": (.from, .people), "reply_to": (.replyTo, .people),
    "to": (.to, .people), "cc": (.cc, .people), "bcc": (.bcc, .people),
    "tags": (.tags, .labels), "labels": (.labels, .labels), "folders": (.folders, .labels),
    "file_ids": (.fileIDs, .texts), "files": (.files, .files),
    "reply_to_message_id": (.repliedMessage, .text),
  ]

  static let common: [String: (ObjectField, Kind)] = [
    "id": (.id, .text), "version": (.version, .integer), "namespace_id": (.namespace, .text),
    "created_at": (.createdAt, .time), "updated_at": (.updatedAt, .time),
  ]

  /// The members of a class.
  static func members(of objectClass: ObjectClass) -> [String: (ObjectField, Kind)] {
    common.merging(members[objectClass] ?? [:]) { $1 }
  }

  /// The fields of an object, and its members that have no field.
  static func fields(
    of objectClass: ObjectClass, _ object: [String: Any]
  ) throws -> (ObjectFields, unknown: [String: Any]) {
    let known = members(of: objectClass)
    var (fields, unknown) = (ObjectFields(), [String: Any]())
    for (name, value) in object where name != "object" {
      if let (field, kind) = known[name] {
        try put(value, kind, field, &fields)
      } else {
        unknown[name] = value
      }
    }
    return (fields, unknown)
  }

  private static func put(
    _ value: Any, _ kind: Kind, _ field: ObjectField, _ fields: inout ObjectFields
  ) throws {
    if value is NSNull { return fields.putNull(field) }
    switch kind {
    case .text: fields.put(field, try text(value))
    case .integer:
      guard let integer = Int64(try text(value)) else { throw Unreadable() }
      fields.put(field, integer)
    case .flag: fields.put(field, try flag(value))
    case .time:
      let string = value as? String
      fields.put(field, Timestamp(text: try text(value)), text: string)
    case .people: fields.put(field, try items(value).map(person))
    case .labels: fields.put(field, try items(value).map(label))
    case .texts: fields.put(field, try items(value).map(text))
    case .files:
      fields.put(
        field,
        try items(value).map { item in
          guard let object = item as? [String: Any] else { throw Unreadable() }
          return try Self.fields(of: .file, object).0
        })
    }
  }

  private static func items(_ value: Any) throws -> [Any] {
    guard let items = value as? [Any] else { throw Unreadable() }
    return items
  }

  private static func text(_ value: Any) throws -> String {
    if let string = value as? String { return string }
    guard let number = value as? NSNumber else { throw Unreadable() }
    return number.int64Value.description
  }

  private static func flag(_ value: Any) throws -> Bool {
    if let number = value as? NSNumber { return number.boolValue }
    return value as? String == "true"
  }

  private static func optional(_ value: Any?) throws -> String? {
    guard let value, !(value is NSNull) else { return nil }
    return try text(value)
  }

  private static func person(_ value: Any) throws -> ObjectPerson {
    guard let object = value as? [String: Any] else {
      return ObjectPerson(email: try text(value))
    }
    return ObjectPerson(name: try optional(object["name"]), email: try optional(object["email"]))
  }

  private static func label(_ value: Any) throws -> ObjectLabel {
    guard let object = value as? [String: Any] else { return ObjectLabel(try text(value)) }
    guard let id = try optional(object["id"]) else { throw Unreadable() }
    return ObjectLabel(
      id, name: try optional(object["name"]), displayName: try optional(object["display_name"]))
  }
}
