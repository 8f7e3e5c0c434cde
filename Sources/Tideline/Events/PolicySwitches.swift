/// Who owns whether a message is read.
package enum ReadOwner: Int64, EventCode {
  /// The device, whoever is logged in.
  case device = 1
  /// The server.
  case server = 2
  /// A login: the next one begins with everything unread.
  case login = 3
}

/// How a server behaves and what is wanted of the engine, in switches.
///
/// They are recorded with each login, so that what a log means is in the log.
package struct PolicySwitches: EventPart {
  /// Whether what a complete answer leaves out is gone.
  package var absenceDeletes = false
  /// Whether the server's later edits of a message count.
  package var serverEditsApply = false
  /// Who owns whether a message is read.
  package var readOwner = ReadOwner.server
  /// Whether what was deleted here stays so, whatever the server says.
  package var deletionSticks = false
  /// Whether to open an alert means to read its message.
  package var openingMarksRead = false
  /// Whether a thread is unread as long as a message of it is.
  package var couplesUnread = false
  /// Whether the server marks the messages of a thread with it.
  package var fansOutThreads = false
  /// Whether the server can mark as unread.
  package var marksUnread = false
  /// Whether messages are shown only between their start and their end.
  package var hasActiveWindow = false
  /// Whether an answer shows what was acknowledged before it was asked for.
  package var readsOwnWrites = false
  /// The least time between two refreshes by hand, in milliseconds.
  package var refreshInterval: Int64 = 0
  /// How long an acknowledged intent waits for the server to show it, in milliseconds.
  package var settleInterval: Int64 = 0
  /// How long it is remembered that the server deleted something, in milliseconds.
  package var tombstoneInterval: Int64 = 0
  /// How many rows an empty complete answer may remove the first time.
  package var emptyAnswerRowsMax: Int64 = 0

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "absenceDeletes", &absenceDeletes)
    try coder.code(2, "serverEditsApply", &serverEditsApply)
    try coder.code(3, "readOwner", &readOwner)
    try coder.code(4, "deletionSticks", &deletionSticks)
    try coder.code(5, "openingMarksRead", &openingMarksRead)
    try coder.code(6, "couplesUnread", &couplesUnread)
    try coder.code(7, "fansOutThreads", &fansOutThreads)
    try coder.code(8, "marksUnread", &marksUnread)
    try coder.code(9, "hasActiveWindow", &hasActiveWindow)
    try coder.code(10, "readsOwnWrites", &readsOwnWrites)
    try coder.code(11, "refreshInterval", &refreshInterval)
    try coder.code(12, "settleInterval", &settleInterval)
    try coder.code(13, "tombstoneInterval", &tombstoneInterval)
    try coder.code(14, "emptyAnswerRowsMax", &emptyAnswerRowsMax)
  }
}
