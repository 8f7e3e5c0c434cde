/// A request to a server.
package struct HTTPRequest: Sendable, Hashable {
  /// A header field.
  package struct Header: Sendable, Hashable {
    /// The name of the field.
    package let name: String
    /// The value of the field.
    package let value: String

    /// Creates a field.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method, in capitals.
  package var method: String
  /// The path, escaped as in an address, with the query; it begins with a slash.
  package var path: String
  /// The header fields.
  package var headers: [Header] = []
  /// The body, if there is one.
  package var body: [UInt8]?

  /// Creates a request.
  package init(_ method: String, _ path: String, headers: [Header] = [], body: [UInt8]? = nil) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }
}

/// The answer of a server.
package struct HTTPAnswer: Sendable, Hashable {
  /// The status.
  package var status: Int
  /// The header fields by lowercase name; of repeated fields, the last.
  package var headers: [String: String]
  /// The body.
  package var body: [UInt8]

  /// Creates an answer; field names may be in any case.
  package init(_ status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = Dictionary(
      headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    self.body = body
  }
}

/// The reason a request got no answer.
package enum HTTPFailure: Error, Sendable, Hashable {
  /// Nothing reached the server, for certain: there was no network, no address or no server.
  case notSent
  /// The connection broke when the request was, or may have been, under way.
  case lost
  /// The answer did not arrive in time.
  case timeout
  /// The answer exceeded the limit.
  case tooLong(limit: Int)
  /// The caller no longer wants the answer.
  case cancelled
}
