import EventStore

/// A push as it was understood, and what it says.
///
/// Nobody here keeps a completion handler: whoever was given one calls it, once, when `receive` has
/// returned or thrown. Where the push is not ours, that is whoever it is passed on to instead.
public struct ReceivedPush: Sendable, Hashable {
  /// What it is.
  public let kind: PushKind
  /// Whether the log has an event of it now: news, where a system asks whether there were any.
  public internal(set) var isRecorded = false

  /// What it says, by the names of a message's fields.
  let fields: ObjectFields
  /// The number for the application's icon.
  public let badge: Int?
  /// The application's own members, as an object of JSON; without the sender's.
  public let customKeys: String
  /// What no field was found for, the application's own members included.
  let rest: JSONObject

  /// Whether it is for us: then nobody else need look at it.
  public var isOurs: Bool { kind != .notOurs }

  /// A text that it says, or a number as a text; `nil` where it doesn't.
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
  /// Nothing of somebody else's push.
  static let notOurs = ReceivedPush(
    kind: .notOurs, fields: ObjectFields(), badge: nil, customKeys: "{}", rest: JSONObject())

  /// The event of it, or `nil` where there is nothing to record.
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
  /// The object's text, in UTF-8.
  var bytes: [UInt8] { Array(JSONValue.object(self).text.utf8) }
}
