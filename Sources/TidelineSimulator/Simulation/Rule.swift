/// What must hold whatever goes wrong.
///
/// Some of it is looked at all the time, the rest once everything has come to rest.
package enum Rule: String, CaseIterable, Hashable, Sendable {
  /// Nothing is sent before it is on the medium what it comes of, and that it is about to be sent.
  case durableFirst
  /// Nothing is sent but for who wanted it, and while they are logged in or have it be sent.
  case ownLogin
  /// What a person wants is shown from then on, until it is taken back.
  case shownAtOnce
  /// What was deleted does not return.
  case staysDeleted
  /// Everything that is recorded is understood.
  case understood
  /// What was wanted last of a thing, and was neither refused nor taken back, is done at the end.
  case lastWord
  /// What a person has written is kept until it is sent or deleted.
  case textKept
  /// Nothing is done twice.
  case once
  /// Of each thing what was wanted first is done first.
  case inOrder
  /// Nothing is said to be done that was not, nor to be refused that nobody refused.
  case trueAnswers
  /// Nothing waits for ever, neither to be sent nor to be heard of.
  case comesToRest
  /// What is shown is what the log comes to.
  case folds
  /// Devices show what the server has.
  case converges
}
