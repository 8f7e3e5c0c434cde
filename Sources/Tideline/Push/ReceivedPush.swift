import EventStore

/// A push as it was understood.
///
/// No completion handler is kept here. Whoever was given one calls it, once, after `receive` has
/// returned or thrown. If the push is not ours, that is up to the code it is passed on to.
public struct ReceivedPush: Sendable, Hashable {
  /// The kind of push.
  public let kind: PushKind
  /// Whether the log, or the spool of an extension, now has an event for it, which counts as new
  /// data for the system's background fetch.
  public internal(set) var isRecorded = false
  /// The number of the account that the push is for, such as to open its inbox at a tap; `nil` if
  /// that is unknown, or nobody's.
  public internal(set) var account: UInt32?

  /// The content, as fields of a message.
  let fields: ObjectFields
  /// The number for the app icon.
  public let badge: Int?
  /// The app's own members as a JSON object, without the sender's.
  public let customKeys: String
  /// The members not assigned to any field, including the app's own.
  let rest: JSONObject

  /// Whether the push is ours, so that no other code need handle it.
  public var isOurs: Bool { kind != .notOurs }

  /// Returns a part as text, including numbers; `nil` if the push lacks it.
  public subscript(field: PushField) -> String? {
    guard let field = field.objectField else { return badge.map(\.description) }
    return switch field.content {
    case .integer: fields.integer(field)?.description
    case .time: field.original.flatMap(fields.text) ?? fields.time(field)?.description
    case .json: fields.json(field).map { String(decoding: $0, as: UTF8.self) }
    default: fields.text(field)
    }
  }
}

extension ReceivedPush {
  /// Somebody else's push, without content.
  static let notOurs = ReceivedPush(
    kind: .notOurs, fields: ObjectFields(), badge: nil, customKeys: "{}", rest: JSONObject())

  /// Returns the event to record, or `nil` if there is none.
  package func event(isForeground: Bool) -> (any FieldedEvent)? {
    if let purpose = kind.purpose {
      return SilentPushArrived {
        $0.purpose = purpose
        $0.badge = badge.map(Int64.init)
        $0.unknown = rest.isEmpty ? nil : EventBytes(rest.bytes)
      }
    }
    guard kind.hasMessage else { return nil }
    return AlertArrived {
      $0.message = fields
      $0.isForeground = isForeground
      $0.badge = badge.map(Int64.init)
    }
  }
}

extension JSONObject {
  /// The object as JSON in UTF-8.
  var bytes: [UInt8] { Array(JSONValue.object(self).text.utf8) }
}
