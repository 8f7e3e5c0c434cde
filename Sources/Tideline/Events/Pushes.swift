package import EventStore

/// A push with something to show arrived, and with it a message: often only some of its fields.
///
/// It says nothing of whether the message was read, and takes nothing away from one that is known.
/// A push that has room for all of a message says that it is whole.
package struct AlertArrived: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0301)

  /// The fields of the rich message in the push: its id, and those that the push has room for.
  package var message = ObjectFields()
  /// Whether the application was in the foreground.
  package var isForeground = false
  /// The number on the application's badge that comes with it.
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

/// What a push without anything to show is for.
package enum SilentPushPurpose: Int64, EventCode {
  /// To have something fetched.
  case refresh = 1
  /// To set the badge.
  case badge = 2
  /// To change what may be done with data.
  case privacy = 3
  /// Something else, for the application.
  case other = 4
}

/// A push arrived that shows nothing.
package struct SilentPushArrived: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0302)

  /// What it is for.
  package var purpose = SilentPushPurpose.refresh
  /// The number on the application's badge that comes with it.
  package var badge: Int64?
  /// Members of the push that mean something to the application, as a JSON object.
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

/// The person opened what a push showed: an intent to read it, if the policy is that, or if said.
package struct AlertOpened: Intent {
  package static let kind = EventKind(rawValue: 0x0303)

  /// The message's id.
  package var id = ""
  /// Which sending of the message it was.
  package var requestID: String?
  /// The button, where it was one.
  package var action: String?
  /// Whether the application was launched by it.
  package var isLaunch = false
  /// Whether it means that the message is read; else the policy says so, as it stands here.
  package var marksRead: Bool?
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
    try coder.code(512, "terms", &terms)
  }
}
