import EventStore
import Tideline

/// A form with one file in it (RFC 7578).
struct MultipartForm {
  private let boundary: String

  /// A form whose parts are kept apart by a line made of a key.
  init(key: OperationKey) { boundary = "tideline-\(key.line)" }

  /// What the head of the request says of the form.
  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// The form.
  func body(_ content: [UInt8], named name: String, type: String?) -> [UInt8] {
    let head = [
      "--\(boundary)",
      "Content-Disposition: form-data; name=\"file\"; filename=\"\(name.quotable)\"",
      "Content-Type: \((type ?? "application/octet-stream").quotable)", "", "",
    ].joined(separator: "\r\n")
    return Array(head.utf8) + content + Array("\r\n--\(boundary)--\r\n".utf8)
  }
}

extension String {
  /// The text for between quotes in a head, where a quote or a new line would end it.
  fileprivate var quotable: String {
    replacing("\"", with: "%22").replacing("\r\n", with: " ").replacing("\r", with: "%0D")
      .replacing("\n", with: "%0A")
  }
}
