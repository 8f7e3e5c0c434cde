package import TidelineHTTP

/// A reply to a request, and how it is sent.
package struct Reply: Sendable {
  /// The content of a reply.
  package enum Content: Sendable {
    /// An answer.
    case whole(HTTPAnswer)
    /// An answer whose content is fixed by the request, but is so long that it is written without
    /// holding up other requests.
    case long(@Sendable () -> HTTPAnswer)
    /// The changes, once there are some.
    case poll(DeltaQuestion)
    /// The changes as they happen, one per line.
    case stream(DeltaQuestion)
  }

  /// The content of the reply.
  package var content: Content
  /// The delay before the reply is sent; its request is already carried out.
  package var delay = Duration.zero
  /// Whether the connection breaks in the middle of the body.
  package var isCut = false

  /// Creates a reply that is sent at once.
  package init(_ content: Content) { self.content = content }

  /// Creates a reply from an answer that is sent at once.
  init(_ answer: HTTPAnswer) { self.init(.whole(answer)) }
}

/// A question for changes.
package struct DeltaQuestion: Sendable, Hashable {
  /// The cursor from which to report, in the mail server's form.
  package internal(set) var cursor: String
  /// The maximum number of changes at a time.
  let limit: Int
  /// The words of the classes to report, or `nil` for all.
  let included: Set<String>?
  /// The words of the classes not to report.
  let excluded: Set<String>
  /// The maximum time to wait for a change.
  package let patience: Duration
}
