/// What is sent to a server.
package struct HTTPRequest: Sendable, Hashable {
  /// A field of a head.
  package struct Header: Sendable, Hashable {
    /// Its name.
    package let name: String
    /// Its value.
    package let value: String

    /// A field.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method, in capitals.
  package var method: String
  /// The path, escaped as it stands in an address, the query included; it begins with a slash.
  package var path: String
  /// The fields of its head.
  package var headers: [Header] = []
  /// What is sent, if anything is.
  package var body: [UInt8]?

  /// A request.
  package init(_ method: String, _ path: String, headers: [Header] = [], body: [UInt8]? = nil) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }
}

/// What a server answered.
package struct HTTPAnswer: Sendable, Hashable {
  /// The status.
  package var status: Int
  /// The fields of its head by their names in small letters; of several of a name the last.
  package var headers: [String: String]
  /// What was sent.
  package var body: [UInt8]

  /// An answer; the names of its fields may be written in any letters.
  package init(_ status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = Dictionary(
      headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    self.body = body
  }
}

/// Why there is no answer.
package enum HTTPFailure: Error, Sendable, Hashable {
  /// It is certain that nothing reached the server: there was no network, no address, no server.
  case notSent
  /// The request was on its way, or may have been, when the connection broke.
  case lost
  /// The answer did not come in time.
  case timeout
  /// The answer was longer than the limit.
  case tooLong(limit: Int)
  /// Whoever asked does not want it any more.
  case cancelled
}
