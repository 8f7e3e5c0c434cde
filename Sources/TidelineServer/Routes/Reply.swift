package import TidelineHTTP

/// What is sent to who asks, and how.
package struct Reply: Sendable {
  /// What is sent.
  package enum Content: Sendable {
    /// An answer.
    case whole(HTTPAnswer)
    /// An answer whose content is fixed when it is asked for, and which is so long that it is
    /// written where nobody else waits.
    case long(@Sendable () -> HTTPAnswer)
    /// What changed, once something has.
    case poll(DeltaQuestion)
    /// What changes, each change a line.
    case stream(DeltaQuestion)
  }

  /// What is sent.
  package var content: Content
  /// For how long it is kept back, though what was asked for is done.
  package var delay = Duration.zero
  /// Whether the connection breaks in the middle of the body.
  package var isCut = false

  /// Something that is sent at once.
  package init(_ content: Content) { self.content = content }

  /// An answer that is sent at once.
  init(_ answer: HTTPAnswer) { self.init(.whole(answer)) }
}

/// A question for what changed.
package struct DeltaQuestion: Sendable, Hashable {
  /// Since when: the cursor as the mail server has it.
  package internal(set) var cursor: String
  /// How many changes are told at a time.
  let limit: Int
  /// The words of the classes that are told of, if not all are.
  let included: Set<String>?
  /// The words of the classes that are not told of.
  let excluded: Set<String>
  /// How long it is waited for something to change.
  package let patience: Duration
}
