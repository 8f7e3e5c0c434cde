/// Brings a request to a server, and the answer back: bytes in, bytes out.
///
/// Whatever the server answers is an answer, a refusal too. What it means is decided elsewhere; so
/// a client follows no redirection, keeps no cookies, answers no challenge, and tries nothing
/// twice: only what has no body may be sent again over a new connection, where an old one turns out
/// to be gone.
package protocol HTTPClient: Sendable {
  /// The bytes that an answer may have, and of one that is taken as it comes those that wait.
  var answerBytesMax: Int { get }

  /// Sends a request, and returns when the head of the answer has come.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: How long nothing may happen, before the head and behind it.
  ///   - onSent: Is told how many bytes of the body were sent, each time that there are more, until
  ///     the head has come.
  /// - Throws: ``HTTPFailure``, which says whether the request may have reached the server. A task
  ///   that is cancelled stops waiting.
  func open(
    _ request: HTTPRequest, within timeout: Duration, onSent: (@Sendable (Int64) -> Void)?
  ) async throws(HTTPFailure) -> HTTPStream
}

extension HTTPClient {
  /// Sends a request, and returns when the head of the answer has come.
  package func open(
    _ request: HTTPRequest, within timeout: Duration
  ) async throws(HTTPFailure) -> HTTPStream {
    try await open(request, within: timeout, onSent: nil)
  }

  /// Sends a request, and returns when the answer has come whole.
  package func answer(
    to request: HTTPRequest, within timeout: Duration, onSent: (@Sendable (Int64) -> Void)? = nil
  ) async throws(HTTPFailure) -> HTTPAnswer {
    try await open(request, within: timeout, onSent: onSent).whole(atMost: answerBytesMax)
  }
}
