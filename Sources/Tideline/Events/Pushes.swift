package import EventStore

/// A push that shows something arrived, and with it a message, often with only some of its fields.
///
/// The push says nothing about whether the message was read, and removes nothing from a known
/// message. A push that has room for all of a message says that it is whole.
package struct AlertArrived: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0301)

  /// The fields of the rich message in the push: its id, and those that the push has room for.
  package var message = ObjectFields()
  /// Whether the application was in the foreground.
  package var isForeground = false
  /// The number that the push sets on the application's badge.
  package var badge: Int64?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(object: &message)
    try coder.code(512, "isForeground", &isForeground)
    try coder.code(513, "badge", &badge)
  }
}

/// The purpose of a push that shows nothing.
package enum SilentPushPurpose: Int64, EventCode {
  /// To trigger a refresh.
  case refresh = 1
  /// To set the badge.
  case badge = 2
  /// To change what may be done with data.
  case privacy = 3
  /// Another purpose, for the application.
  case other = 4
}

/// A push that shows nothing arrived.
package struct SilentPushArrived: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0302)

  /// The push's purpose.
  package var purpose = SilentPushPurpose.refresh
  /// The number that the push sets on the application's badge.
  package var badge: Int64?
  /// Members of the push that have a meaning for the application, as a JSON object.
  package var unknown: EventBytes?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "purpose", &purpose)
    try coder.code(2, "badge", &badge)
    try coder.code(3, "unknown", &unknown)
  }
}

/// The person opened an alert: an intent to read its message, if this event or else the policy says
/// so.
package struct AlertOpened: Intent {
  package static let kind = EventKind(rawValue: 0x0303)

  /// The message's id.
  package var id = ""
  /// Which sending of the message it was.
  package var requestID: String?
  /// The button, if the person used one.
  package var action: String?
  /// Whether opening the alert launched the application.
  package var isLaunch = false
  /// Whether opening marks the message as read; if absent, the policy at this record decides.
  package var marksRead: Bool?
  /// The server's id of the account that the alert named.
  package var namespace: String?
  /// The terms of the intent to read.
  package var terms = IntentTerms()

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "id", &id)
    try coder.code(2, "requestID", &requestID)
    try coder.code(3, "action", &action)
    try coder.code(4, "isLaunch", &isLaunch)
    try coder.code(5, "marksRead", &marksRead)
    try coder.code(6, "namespace", &namespace)
    try coder.code(512, "terms", &terms)
  }
}
