import EventStore
import Tideline

/// A form that contains one file (RFC 7578).
struct MultipartForm {
  private let boundary: String

  /// Creates a form whose boundary is derived from a key.
  init(key: OperationKey) { boundary = "tideline-\(key.line)" }

  /// The value of the request's `Content-Type`.
  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// Returns the bytes of the form.
  func body(_ content: [UInt8], named name: String, type: String?) -> [UInt8] {
    let head = [
      "--\(boundary)",
      "Content-Disposition: form-data; name=\"file\"; filename=\"\(name.quotable)\"",
      "Content-Type: \((type ?? "application/octet-stream").quotable)", "", "",
    ].joined(separator: "\r\n")
    let tail = "\r\n--\(boundary)--\r\n"
    var body: [UInt8] = []
    // A second copy of a large file would not fit into memory everywhere.
    body.reserveCapacity(head.utf8.count + content.count + tail.utf8.count)
    body += head.utf8
    body += content
    body += tail.utf8
    return body
  }
}

extension String {
  /// The text for use between quotes in a head, with quotes and line ends escaped.
  fileprivate var quotable: String {
    // By scalars, as a mark after a quote is one character with it.
    String(unicodeScalars.replacing("\"".unicodeScalars, with: "%22".unicodeScalars))
      .replacing("\r\n", with: " ").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
