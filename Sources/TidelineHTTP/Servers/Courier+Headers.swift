import Foundation

/// What an app adds to every request.
extension Courier {
  /// Creates a courier to a server at an address.
  ///
  /// Traps if a header field is not one that can be sent, or the timeout is not positive.
  ///
  /// - Parameters:
  ///   - base: The address before the paths of requests.
  ///   - authorization: How tokens are put into request heads.
  ///   - headers: The header fields of every request.
  ///   - timeout: The maximum silence on a question.
  ///   - streamsMax: The maximum number of connections for requests whose answers may last long;
  ///     by default, these share the others.
  init(
    _ base: URL, _ authorization: Authorization, headers: [String: String], timeout: Duration,
    streamsMax: Int? = nil
  ) {
    precondition(timeout > .zero, "the timeout must be positive")
    let names = Set(headers.keys.map { $0.lowercased() })
    precondition(names.count == headers.count, "names of header fields differ by case only")
    let fields = headers.sorted { $0.key < $1.key }.map { name, value in
      precondition(name.isFieldName, "“\(name)” is not the name of a header field")
      precondition(!name.isOfTransport, "“\(name)” is set for each connection or body")
      precondition(value.isFieldValue, "the value of “\(name)” is empty or more than one line")
      return HTTPRequest.Header(name, value)
    }
    let transport = Transport.best
    self.init(
      transport.client(of: base, headers: fields), authorization,
      streams: streamsMax.map {
        transport.client(of: base, headers: fields, connectionsMax: $0, mayPause: true)
      })
    self.timeout = timeout
  }
}

extension String {
  /// Whether fields of this name say how a request and its body are carried.
  fileprivate var isOfTransport: Bool {
    ["connection", "content-length", "expect", "host", "transfer-encoding"].contains(lowercased())
  }

  /// Whether the text is the name of a header field: letters, digits and a few marks.
  fileprivate var isFieldName: Bool {
    let marks = "!#$%&'*+-.^_`|~".utf8
    return !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: marks.contains(byte)
        }
      }
  }

  /// Whether the text is the value of a header field: something visible, without a line end or
  /// another control character.
  fileprivate var isFieldValue: Bool {
    utf8.contains { $0 > 0x20 } && utf8.allSatisfy { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }
  }
}
