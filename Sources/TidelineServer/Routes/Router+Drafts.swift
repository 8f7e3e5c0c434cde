import EventStore
import Tideline
import TidelineHTTP
import TidelineSimulator
import TidelineSync

/// Drafts and sending.
extension Router {
  mutating func makeDraft(_ call: Call) throws(Refusal) -> HTTPAnswer {
    let id = try make(try call.body(), call)
    return try object(.draft, id, in: try mailbox(call))
  }

  private func make(_ body: RequestBody, _ call: Call) throws(Refusal) -> String {
    var draft = Draft(id: "local-draft", account: 0)
    try draft.take(body)
    let text = try body.text("body") ?? ""
    let done = try perform(
      .draft, draft.id, .draft(draft, isNew: true), call, text: text)
    guard let id = done.newID else { throw Refusal(500, "api_error", "The draft was lost") }
    return id
  }

  mutating func storeDraft(_ id: String, _ call: Call) throws(Refusal) -> HTTPAnswer {
    let (mail, body) = (try mailbox(call), try call.body())
    guard let served = mail.message(id), served.isDraft else {
      throw .missing("Couldn't find draft \(id)")
    }
    let version = try version(in: body)
    var draft = Draft(served)
    try draft.take(body)
    _ = try perform(
      .draft, id, .draft(draft, isNew: false), call, version: version, text: try body.text("body"))
    return try object(.draft, id, in: mail)
  }

  mutating func deleteDraft(_ id: String, _ call: Call) throws(Refusal) -> HTTPAnswer {
    let version = try version(in: try call.body())
    _ = try perform(.draft, id, .deletion, call, version: version)
    return HTTPAnswer { $0.null() }
  }

  private func version(in body: RequestBody) throws(Refusal) -> Int64 {
    guard let version = try body.integer("version") else {
      throw .invalid("Must specify the version")
    }
    return version
  }

  /// Sends a draft, or a whole new message.
  mutating func send(_ call: Call) throws(Refusal) -> HTTPAnswer {
    let body = try call.body()
    guard let id = try body.text("draft_id") else {
      let id = try make(body, call)
      return try send(id, version: 0, call)
    }
    return try send(id, version: try version(in: body), call)
  }

  private mutating func send(
    _ id: String, version: Int64, _ call: Call
  ) throws(Refusal) -> HTTPAnswer {
    _ = try perform(.draft, id, .sending(messageID: nil), call, version: version)
    return try object(.message, id, in: try mailbox(call))
  }
}

extension Draft {
  /// Creates a draft from the server's version.
  fileprivate init(_ served: ServedMessage) {
    self.init(id: served.id, account: 0)
    subject = served.subject
    threadID = served.thread
    replyToMessageID = served.repliedMessage
    fileIDs = Set(served.files)
    to = served.recipients.map { Participant(email: $0) }
    for (field, path) in Self.people {
      guard let people = served.people[field] else { continue }
      self[keyPath: path] = people.map { Participant(name: $0.name, email: $0.email ?? "") }
    }
  }

  /// Applies the fields that a client's request contains.
  fileprivate mutating func take(_ body: RequestBody) throws(Refusal) {
    if body.has("subject") { subject = try body.text("subject") }
    if body.has("thread_id") { threadID = try body.text("thread_id") }
    if body.has("reply_to_message_id") {
      replyToMessageID = try body.text("reply_to_message_id")
    }
    if body.has("file_ids") { fileIDs = Set(try body.texts("file_ids") ?? []) }
    for (name, path) in Self.peopleByName where body.has(name) {
      self[keyPath: path] = try body.people(name) ?? []
    }
    guard from.count <= 1, replyTo.count <= 1 else {
      throw .invalid("There may be one sender, and one who gets answers")
    }
  }

  private static var people: [(ObjectField, WritableKeyPath<Draft, [Participant]>)] {
    [(.from, \.from), (.to, \.to), (.cc, \.cc), (.bcc, \.bcc), (.replyTo, \.replyTo)]
  }

  /// The people fields by their names on the wire.
  private static var peopleByName: [(String, WritableKeyPath<Draft, [Participant]>)] {
    FieldTable.of(.draft).rows.compactMap { row in
      people.first { $0.0 == row.field }.map { (row.name.description, $0.1) }
    }
  }
}
