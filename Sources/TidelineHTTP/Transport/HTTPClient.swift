/// Carries requests to a server and returns its answers: bytes in, bytes out.
///
/// Every response of the server is an answer, even a refusal; other code decides its meaning. A
/// client therefore follows no redirects, keeps no cookies, answers no challenges and retries
/// nothing. Only a request without a body may be sent again on a new connection if a reused one has
/// closed.
package protocol HTTPClient: Sendable {
  /// The maximum size of an answer in bytes; for a stream, of its unread part.
  ///
  /// A client whose requests may pause makes the server wait for the reader before that.
  var answerBytesMax: Int { get }

  /// Sends a request, and returns once the head of the answer has arrived.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: The maximum silence, before and after the head.
  ///   - onSent: Receives the number of bytes of the body sent, each time it grows, until the head
  ///     has arrived.
  /// - Throws: ``HTTPFailure``, which tells whether the request may have reached the server. A
  ///   cancelled task stops waiting.
  func open(
    _ request: HTTPRequest, within timeout: Duration, onSent: (@Sendable (Int64) -> Void)?
  ) async throws(HTTPFailure) -> HTTPStream
}

extension HTTPClient {
  /// Sends a request, and returns once the head of the answer has arrived.
  package func open(
    _ request: HTTPRequest, within timeout: Duration
  ) async throws(HTTPFailure) -> HTTPStream {
    try await open(request, within: timeout, onSent: nil)
  }

  /// Sends a request, and returns once the whole answer has arrived.
  package func answer(
    to request: HTTPRequest, within timeout: Duration, onSent: (@Sendable (Int64) -> Void)? = nil
  ) async throws(HTTPFailure) -> HTTPAnswer {
    try await open(request, within: timeout, onSent: onSent).whole(atMost: answerBytesMax)
  }
}
