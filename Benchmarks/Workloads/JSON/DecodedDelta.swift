/// A page of changes as structures for Foundation's decoder.
struct DecodedPage: Decodable {
  struct Delta: Decodable {
    let cursor: String
    let object: String
    let event: String
    let id: String
    let attributes: Attributes?
  }

  struct Attributes: Decodable {
    let id: String
    let namespace_id: String?
    let subject: String?
    let from: [Person]?
    let reply_to: [Person]?
    let to: [Person]?
    let cc: [Person]?
    let bcc: [Person]?
    let date: Int64?
    let thread_id: String?
    let snippet: String?
    let body: String?
    let unread: Bool?
    let starred: Bool?
    let files: [File]?
  }

  struct Person: Decodable {
    let name: String?
    let email: String?
  }

  struct File: Decodable {
    let id: String
    let filename: String?
    let content_type: String?
    let size: Int64?
  }

  let cursor_start: String
  let cursor_end: String
  let deltas: [Delta]
}
