public import Tideline

/// A server as synchronization sees it: a source of facts and a sink for operations.
///
/// Implementations contact a real server or simulate one. They keep no state: synchronization
/// decides from the answers what to ask next and what to resend when.
///
/// Several methods may run concurrently, on any thread; see <doc:OwnServer>.
public protocol Server: Sendable {
  /// The server's abilities, which never change.
  var abilities: ServerAbilities { get }

  /// Returns the answer to a question.
  ///
  /// - Throws: `ServerFailure`; with any reason if the task is cancelled.
  func answer(_ question: Question, token: Token?) async throws(ServerFailure) -> Answer

  /// Performs a request and returns the outcomes of its parts.
  ///
  /// - Throws: `ServerFailure`, which applies to every part. The reason is
  ///   ``ServerFailure/Reason/notSent`` only if it is certain that nothing was done.
  func perform(_ request: ServerRequest, token: Token?) async throws(ServerFailure) -> Settlement

  /// Returns the changes in a stream after a cursor, as they happen.
  ///
  /// Each answer has the cursor after it. The sequence ends when the server ends it, after a
  /// failure, or if the task is cancelled.
  ///
  /// No change may be left out, since the next cursor would skip it. If more changes wait than can
  /// be buffered, the sequence ends with a failure, and the stream is asked for from its last
  /// cursor.
  ///
  /// Only streams with `isFollowed` are followed.
  func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>>

  /// Returns the content of a file, in pieces as they arrive.
  ///
  /// The sequence ends after the last piece, after a failure, or if the task is cancelled.
  ///
  /// - Parameters:
  ///   - file: What is known of the file.
  ///   - id: The server's id of the file.
  ///   - token: The token to show, if there is one.
  func content(
    of file: Attachment, id: String, token: Token?
  ) -> AsyncStream<Result<[UInt8], ServerFailure>>
}

extension Server {
  /// Reports no changes by itself.
  public func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>> { AsyncStream { $0.finish() } }

  /// Has no content of files.
  public func content(
    of file: Attachment, id: String, token: Token?
  ) -> AsyncStream<Result<[UInt8], ServerFailure>> {
    AsyncStream { pieces in
      pieces.yield(.failure(ServerFailure(.unsupported)))
      pieces.finish()
    }
  }
}

/// A credential for a server.
public struct Token: Hashable, Sendable {
  /// The token's text.
  public let value: String

  /// Creates a token with that text.
  public init(_ value: String) { self.value = value }
}
