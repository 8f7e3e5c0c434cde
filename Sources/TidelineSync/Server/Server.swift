/// A server as synchronization sees it: a source of facts, and a sink of operations.
///
/// What speaks to a real server, or plays one, is one of these. It keeps nothing: what is to be
/// asked next, what is to be sent again and when is decided elsewhere, by what it answers.
///
/// Several of its methods may run at the same time, on any thread; see <doc:OwnServer>.
public protocol Server: Sendable {
  /// What it can do; always the same.
  var abilities: ServerAbilities { get }

  /// What it answers to a question.
  ///
  /// - Throws: `ServerFailure`; where the task is cancelled, with any reason.
  func answer(_ question: Question, token: Token?) async throws(ServerFailure) -> Answer

  /// What becomes of the parts of a request.
  ///
  /// - Throws: `ServerFailure`, which holds for each of its parts. Its reason is
  ///   ``ServerFailure/Reason/notSent`` only where it is certain that nothing was done.
  func perform(_ request: ServerRequest, token: Token?) async throws(ServerFailure) -> Settlement

  /// What changes in a stream from a cursor on, as it changes: each answer with the cursor behind
  /// it. It ends where the server ends it, behind a failure, and where the task is cancelled.
  ///
  /// Nothing of it may be left out, as the cursor behind would pass over that: where more waits to
  /// be taken than can be kept, it ends with a failure, and the stream is asked from where it was
  /// read up to.
  ///
  /// Only streams are followed that say that they can be.
  func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>>
}

extension Server {
  /// Nothing ever changes by itself.
  public func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>> { AsyncStream { $0.finish() } }
}

/// What shows a server who asks.
public struct Token: Hashable, Sendable {
  /// The server's word for it.
  public let value: String

  /// That token.
  public init(_ value: String) { self.value = value }
}
