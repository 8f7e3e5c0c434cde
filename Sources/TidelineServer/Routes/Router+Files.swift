import EventStore
import Tideline
import TidelineHTTP
import TidelineSimulator
import TidelineSync

/// Files.
extension Router {
  /// Stores a file, and returns a list with only that file.
  mutating func upload(_ call: Call) throws(Refusal) -> HTTPAnswer {
    let file = try UploadedFile(call.request)
    var attachment = Attachment(id: "local-file", account: 0)
    attachment.filename = file.name
    attachment.contentType = file.type
    attachment.size = file.content.count
    let done = try perform(.file, "local-file", .file(attachment, path: nil), call)
    guard let id = done.newID else { throw Refusal(500, "api_error", "The file was lost") }
    contents[id] = file.content
    let answer = try object(.file, id, in: try mailbox(call))
    return HTTPAnswer(bytes: [UInt8(ascii: "[")] + answer.body + [UInt8(ascii: "]")])
  }

  /// Returns the bytes of a file; for one that was never uploaded, spaces of the right number.
  func download(_ id: String, _ call: Call) throws(Refusal) -> HTTPAnswer {
    try call.target.expect([])
    guard let file = try mailbox(call).file(id) else { throw .missing("Couldn't find file \(id)") }
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: Int(file.size))
    return HTTPAnswer(
      200, headers: ["content-type": file.contentType ?? "application/octet-stream"],
      body: contents[id] ?? spaces)
  }
}
