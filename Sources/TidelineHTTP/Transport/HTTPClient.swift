/// Brings a request to a server, and the answer back: bytes in, bytes out.
///
/// Whatever the server answers is an answer, a refusal too. What it means is decided elsewhere; so a
/// client follows no redirection, keeps no cookies, answers no challenge, and tries nothing twice.
package protocol HTTPClient: Sendable {
  /// Sends a request, and returns when the answer has come whole.
  ///
  /// - Parameter timeout: How long nothing may happen.
  /// - Throws: ``HTTPFailure``, which says whether the request may have reached the server. A task
  ///   that is cancelled stops waiting.
  func answer(
    to request: HTTPRequest, within timeout: Duration
  ) async throws(HTTPFailure) -> HTTPAnswer
}
