#if canImport(CCurl)
  import EventStore
  package import Foundation
  import LMDB

  /// Talks to one server through libcurl.
  ///
  /// Requests and answers are handled on the client's own thread, which sleeps while idle.
  package final class CurlClient: HTTPClient {
    package let answerBytesMax: Int
    private let base: URL
    private let headers: [HTTPRequest.Header]
    private let mayPause: Bool
    private let loop: CurlLoop

    /// Creates a client of a server.
    ///
    /// - Parameters:
    ///   - base: The address before the paths of requests.
    ///   - headers: The header fields of every request, such as an authorization.
    ///   - answerBytesMax: The maximum size of an answer in bytes; for a stream, of its unread
    ///     part.
    ///   - connectionsMax: The maximum number of connections.
    ///   - mayPause: Whether the server waits for a slow reader; such requests share no connection.
    package init(
      _ base: URL, headers: [HTTPRequest.Header] = [],
      answerBytesMax: Int = WireLimits.answerBytes,
      connectionsMax: Int = Transport.connectionsMax, mayPause: Bool = false
    ) {
      self.base = base
      self.headers = headers
      self.answerBytesMax = answerBytesMax
      self.mayPause = mayPause
      loop = CurlLoop(connectionsMax: connectionsMax)
    }

    deinit { loop.stop() }

    package func open(
      _ request: HTTPRequest, within timeout: Duration, onSent: (@Sendable (Int64) -> Void)?
    ) async throws(HTTPFailure) -> HTTPStream {
      guard !Task.isCancelled, let url = request.url(at: base) else { throw .notSent }
      var whole = request
      whole.headers = request.headers(after: headers)
      let number = loop.newNumber()
      let result = await withTaskCancellationHandler {
        await answered { [whole] waiter in
          loop.start(
            CurlTransfer.Order(
              number: number, request: whole, url: url.absoluteString, timeout: timeout,
              answerBytesMax: answerBytesMax, mayPause: mayPause, onSent: onSent,
              waiter: waiter))
          // A cancellation before the start went unnoticed.
          if Task.isCancelled { loop.cancel(number) }
        }
      } onCancel: {
        loop.cancel(number)
      }
      return try result.get()
    }
  }
#endif
