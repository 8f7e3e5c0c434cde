package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Speaks to one server through a `URLSession` of its own.
///
/// A session whose delegate leaves it to the system what to do about a challenge waits for ever at
/// a 401 that asks for a password in Linux, whatever its time limits. This one's delegate takes
/// such an answer from its head, and refuses every challenge.
package final class URLSessionClient: HTTPClient {
  package let answerBytesMax: Int
  private let base: URL
  private let headers: [HTTPRequest.Header]
  private let session: URLSession
  private let receiver: Receiver

  /// A client of a server.
  ///
  /// - Parameters:
  ///   - base: The address before the paths of requests.
  ///   - headers: What every request has in its head, such as an authorization.
  ///   - answerBytesMax: The bytes that an answer may have, and of a stream those that wait.
  package init(
    _ base: URL, headers: [HTTPRequest.Header] = [], answerBytesMax: Int = WireLimits.answerBytes
  ) {
    self.base = base
    self.headers = headers
    self.answerBytesMax = answerBytesMax
    receiver = Receiver(bytesMax: answerBytesMax)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    // A stream that is followed takes one for itself; what waits for one might seem to be late.
    configuration.httpMaximumConnectionsPerHost = 8
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
        // A task that was cancelled before it was waited for ends unnoticed.
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
    // Given to the initialiser, it would not count in Linux.
    urlRequest.timeoutInterval = timeout / .seconds(1)
    urlRequest.httpMethod = request.method
    urlRequest.httpBody = request.body.map { Data($0) }
    urlRequest.httpShouldHandleCookies = false
    for header in request.headers(behind: headers) {
      urlRequest.setValue(header.value, forHTTPHeaderField: header.name)
    }
    return urlRequest
  }
}
