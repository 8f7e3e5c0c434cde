/// Who owns the read state of messages.
public enum ReadOwner: Int64, Sendable {
  /// The device: messages stay read across logins of a person, and when the person is renamed by
  /// ``Inbox/changeIdentity(to:)``.
  ///
  /// Another person still has an account of their own.
  case device = 1
  /// The server.
  case server = 2
  /// A login: the next one begins with every message unread.
  case login = 3
}

/// Switches for how a server behaves and how the engine should behave.
///
/// They are recorded with each login, so that a log contains the rules for its own interpretation.
public struct PolicySwitches: Sendable, Hashable {
  /// Whether objects that a complete response lacks are gone.
  public var absenceDeletes = false
  /// Whether the server's later edits of a message apply.
  public var serverEditsApply = false
  /// Who owns the read state of messages.
  public var readOwner = ReadOwner.server
  /// Whether an object that was deleted here stays deleted, whatever the server reports.
  public var deletionSticks = false
  /// Whether opening an alert or a rich message marks the message as read.
  public var marksReadOnOpening = false
  /// Whether a thread is unread as long as any of its messages is.
  public var couplesUnread = false
  /// Whether the server supports marking as unread.
  public var marksUnread = false
  /// Whether messages are shown only between their start and end dates.
  public var hasActiveWindow = false
  /// Whether a response reflects everything that was acknowledged before its request.
  public var readsOwnWrites = false
  /// The minimum time between two manual refreshes; like all intervals, in whole milliseconds.
  public var refreshInterval = Duration.zero
  /// How long an acknowledged intent waits for the server to show it; zero means forever.
  public var settleInterval = Duration.zero
  /// How long deletions by the server are remembered; zero means forever.
  public var tombstoneInterval = Duration.zero
  /// The maximum number of rows that an empty complete response may remove the first time.
  public var emptyAnswerRowsMax: Int64 = 0

  /// Creates switches that are all off, without time limits.
  public init() {}
}

extension PolicySwitches {
  /// A mailbox behind an inbox API: the server owns all state, and versions some of it.
  public static let inbox = PolicySwitches {
    $0.absenceDeletes = true
    $0.serverEditsApply = true
    $0.couplesUnread = true
    $0.marksUnread = true
    $0.settleInterval = .seconds(600)
    $0.tombstoneInterval = .seconds(90 * 86_400)
    $0.emptyAnswerRowsMax = 20
  }

  /// A MarketingCloud inbox: the device owns the read and deleted states, only a message's first
  /// version applies, and messages are shown only between their start and end dates.
  public static let marketingCloud = PolicySwitches {
    $0.readOwner = .device
    $0.deletionSticks = true
    $0.marksReadOnOpening = true
    $0.hasActiveWindow = true
    $0.refreshInterval = .seconds(60)
  }

  /// A Mapp Engage inbox: a login owns the read state of messages, and objects that a complete
  /// response lacks are gone.
  public static let engage = PolicySwitches {
    $0.absenceDeletes = true
    $0.serverEditsApply = true
    $0.readOwner = .login
    $0.deletionSticks = true
    $0.settleInterval = .seconds(600)
    $0.tombstoneInterval = .seconds(90 * 86_400)
    $0.emptyAnswerRowsMax = 20
  }
}

extension ReadOwner: EventCode {}

extension PolicySwitches: EventPart {
  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "absenceDeletes", &absenceDeletes)
    try coder.code(2, "serverEditsApply", &serverEditsApply)
    try coder.code(3, "readOwner", &readOwner)
    try coder.code(4, "deletionSticks", &deletionSticks)
    try coder.code(5, "openingMarksRead", &marksReadOnOpening)
    try coder.code(6, "couplesUnread", &couplesUnread)
    // Number 7 is retired.
    try coder.code(8, "marksUnread", &marksUnread)
    try coder.code(9, "hasActiveWindow", &hasActiveWindow)
    try coder.code(10, "readsOwnWrites", &readsOwnWrites)
    try refreshInterval.code(11, "refreshInterval", &coder)
    try settleInterval.code(12, "settleInterval", &coder)
    try tombstoneInterval.code(13, "tombstoneInterval", &coder)
    try coder.code(14, "emptyAnswerRowsMax", &emptyAnswerRowsMax)
  }
}

extension Duration {
  /// Codes the duration in milliseconds.
  fileprivate mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ number: Int, _ name: String, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var milliseconds = milliseconds
    try coder.code(number, name, &milliseconds)
    self = .milliseconds(milliseconds)
  }
}
