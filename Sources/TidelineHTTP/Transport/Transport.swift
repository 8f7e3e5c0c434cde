package import Foundation

/// By what servers are spoken to.
package enum Transport: CaseIterable, Sendable {
  /// `URLSession`, which every system has.
  case session
  #if canImport(CCurl)
    /// libcurl, by itself.
    ///
    /// On Linux `URLSession` leaves a socket watched for room to write that has nothing to write:
    /// while an answer is waited for on a new connection, or behind a long body, two threads wake
    /// each other without end (some 50,000 times a second, and most of a processor; a stream that
    /// is followed can be such an answer for hours). And each of its requests goes through many
    /// queues.
    case curl
  #endif

  /// The one that does best here.
  package static var best: Transport {
    #if canImport(CCurl)
      .curl
    #else
      .session
    #endif
  }

  /// What brings requests to a server.
  ///
  /// - Parameters:
  ///   - base: The address before the paths of requests.
  ///   - headers: What every request has in its head, such as an authorization.
  ///   - answerBytesMax: The bytes that an answer may have, and of a stream those that wait.
  package func client(
    of base: URL, headers: [HTTPRequest.Header] = [], answerBytesMax: Int = WireLimits.answerBytes
  ) -> any HTTPClient {
    switch self {
    case .session: URLSessionClient(base, headers: headers, answerBytesMax: answerBytesMax)
    #if canImport(CCurl)
      case .curl: CurlClient(base, headers: headers, answerBytesMax: answerBytesMax)
    #endif
    }
  }
}

extension HTTPRequest {
  /// Where it goes, or `nil` where `base` is no address of a server that can be spoken to: some
  /// clients can't tell that from a server that they don't understand.
  func url(at base: URL) -> URL? {
    let text = base.absoluteString
    guard let url = URL(string: (text.hasSuffix("/") ? text.dropLast() : text[...]) + path),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil
    else { return nil }
    return url
  }

  /// The fields of its head behind others, of which those go that it has itself.
  func headers(behind others: [Header]) -> [Header] {
    let own = Set(headers.map { $0.name.lowercased() })
    return others.filter { !own.contains($0.name.lowercased()) } + headers
  }
}
