/// The rules that hold whatever faults occur.
///
/// Some are checked continuously, and the rest once the simulation is at rest.
package enum Rule: String, CaseIterable, Hashable, Sendable {
  /// Nothing is sent before its intent, and the record that it is about to be sent, are durable.
  case durableFirst
  /// Requests are sent only for the login that wanted them, while it lasts or is being flushed.
  case ownLogin
  /// A person's changes show at once, until they are undone.
  case shownAtOnce
  /// Deleted objects do not return.
  case staysDeleted
  /// All recorded events are understood.
  case understood
  /// The last change wanted of an object, if neither refused nor withdrawn, finally takes effect.
  case lastWord
  /// A text is kept until its author sends or deletes it.
  case textKept
  /// Nothing is done twice.
  case once
  /// Operations on an object take effect in the order in which they were wanted.
  case inOrder
  /// No operation is reported as done that was not, or as refused that nobody refused.
  case trueAnswers
  /// No server is asked anything before the pause that it asked for is over.
  case patient
  /// Nothing waits forever to be sent or answered.
  case comesToRest
  /// The visible state equals the fold of the log.
  case folds
  /// Devices show the state of the server.
  case converges
}
