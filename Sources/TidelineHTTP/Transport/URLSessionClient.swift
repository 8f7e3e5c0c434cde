package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Talks to one server through a `URLSession` of its own.
///
/// On Linux, a session whose delegate leaves challenges to the system waits forever at a 401 that
/// asks for a password, regardless of its timeouts. This delegate takes such an answer from its
/// head, and refuses every password challenge.
package final class URLSessionClient: HTTPClient {
  package let answerBytesMax: Int
  private let base: URL
  private let headers: [HTTPRequest.Header]
  private let session: URLSession
  private let receiver: Receiver

  /// Creates a client of a server.
  ///
  /// - Parameters:
  ///   - base: The address before the paths of requests.
  ///   - headers: The header fields of every request, such as an authorization.
  ///   - answerBytesMax: The maximum size of an answer in bytes; for a stream, of its unread part.
  ///   - connectionsMax: The maximum number of connections.
  ///   - mayPause: Whether the server waits for a slow reader, where the system can make it wait.
  package init(
    _ base: URL, headers: [HTTPRequest.Header] = [],
    answerBytesMax: Int = WireLimits.answerBytes,
    connectionsMax: Int = Transport.connectionsMax, mayPause: Bool = false
  ) {
    self.base = base
    self.headers = headers
    self.answerBytesMax = answerBytesMax
    receiver = Receiver(bytesMax: answerBytesMax, mayPause: mayPause)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpMaximumConnectionsPerHost = connectionsMax
    session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  package func open(
    _ request: HTTPRequest, within timeout: Duration, onSent: (@Sendable (Int64) -> Void)?
  ) async throws(HTTPFailure) -> HTTPStream {
    guard !Task.isCancelled, let urlRequest = urlRequest(request, timeout) else { throw .notSent }
    let task = session.dataTask(with: urlRequest)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        receiver.expect(task.taskIdentifier, continuation, onSent)
        task.resume()
        // A cancellation before the wait went unnoticed.
        if Task.isCancelled { receiver.end(task.taskIdentifier, .cancelled) }
      }
    } onCancel: {
      task.cancel()
    }
    return try result.get()
  }

  private func urlRequest(_ request: HTTPRequest, _ timeout: Duration) -> URLRequest? {
    guard let url = request.url(at: base) else { return nil }
    var urlRequest = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    // On Linux, the initializer's timeout is ignored.
    urlRequest.timeoutInterval = timeout / .seconds(1)
    urlRequest.httpMethod = request.method
    urlRequest.httpBody = request.body.map { Data($0) }
    urlRequest.httpShouldHandleCookies = false
    for header in request.headers(after: headers) {
      urlRequest.setValue(header.value, forHTTPHeaderField: header.name)
    }
    return urlRequest
  }
}
