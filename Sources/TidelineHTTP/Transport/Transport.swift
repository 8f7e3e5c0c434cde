package import Foundation

/// The library that talks to servers.
package enum Transport: CaseIterable, Sendable {
  /// `URLSession`, which every system has.
  case session
  #if canImport(CCurl)
    /// libcurl directly.
    ///
    /// On Linux, `URLSession` keeps watching a socket for writability when it has nothing to write.
    /// While an answer is awaited on a new connection or after a long body, two threads wake each
    /// other endlessly (some 50,000 times a second, using most of a processor); a followed stream
    /// can be such an answer for hours. Each of its requests also passes through many queues.
    case curl
  #endif

  /// The best transport on this system.
  package static var best: Transport {
    #if canImport(CCurl)
      .curl
    #else
      .session
    #endif
  }

  /// The maximum number of connections to a server, unless another one is given.
  package static let connectionsMax = 8

  /// Returns a client of a server.
  ///
  /// - Parameters:
  ///   - base: The address before the paths of requests.
  ///   - headers: The header fields of every request, such as an authorization.
  ///   - answerBytesMax: The maximum size of an answer in bytes; for a stream, of its unread part.
  ///   - connectionsMax: The maximum number of connections. A request that waits for one might time
  ///     out, so requests that may last long go through a client of their own with a high limit.
  ///   - mayPause: Whether the server waits for the reader of a stream that arrives faster than it
  ///     is read, where the transport can make it wait; libcurl then speaks HTTP/1.1 only.
  package func client(
    of base: URL, headers: [HTTPRequest.Header] = [],
    answerBytesMax: Int = WireLimits.answerBytes, connectionsMax: Int = connectionsMax,
    mayPause: Bool = false
  ) -> any HTTPClient {
    switch self {
    case .session:
      URLSessionClient(
        base, headers: headers, answerBytesMax: answerBytesMax, connectionsMax: connectionsMax,
        mayPause: mayPause)
    #if canImport(CCurl)
      case .curl:
        CurlClient(
          base, headers: headers, answerBytesMax: answerBytesMax, connectionsMax: connectionsMax,
          mayPause: mayPause)
    #endif
    }
  }
}

extension HTTPRequest {
  /// Returns the address of the request, or `nil` if `base` is not the address of a server over
  /// HTTP; some clients cannot tell that from an unintelligible server.
  func url(at base: URL) -> URL? {
    let text = base.absoluteString
    guard let url = URL(string: (text.hasSuffix("/") ? text.dropLast() : text[...]) + path),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
    else { return nil }
    return url
  }

  /// Returns other fields followed by the request's own, which replace others of the same name.
  func headers(after others: [Header]) -> [Header] {
    let own = Set(headers.map { $0.name.lowercased() })
    return others.filter { !own.contains($0.name.lowercased()) } + headers
  }
}
