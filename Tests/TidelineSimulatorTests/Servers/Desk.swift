import EventStore
import Tideline
import TidelineSimulator
import TidelineSync

/// A mail server, and the requests that tests make to it.
struct Desk {
  let server: MailServer
  var token = Token("mail")

  init(_ fill: (inout MailManners) -> Void = { _ in }) {
    var manners = MailManners()
    manners.tellingShare = 0
    fill(&manners)
    server = MailServer(manners, at: Timestamp(rawValue: 1_000_000), seed: 1)
  }

  /// Receives mail of one thread.
  func mail(_ count: Int = 1) -> (thread: String, messages: [String]) {
    var messages: [String] = []
    var thread: String?
    for number in 0..<count {
      messages.append(server.receive("mail \(number)", from: "a@x.com", in: thread))
      thread = server.message(messages[0])?.thread
      tick()
    }
    return (thread ?? "", messages)
  }

  func tick(_ duration: Duration = .seconds(1)) {
    server.advance(
      to: Timestamp(rawValue: server.now.rawValue + duration.components.seconds * 1000))
  }

  func ask(_ question: Question) throws(ServerFailure) -> Answer {
    try server.answer(question, token: token)
  }

  func perform(
    _ objectClass: ObjectClass, _ id: String, _ wanted: ServerRequest.Wanted,
    version: Int64? = nil, text: String? = nil, key: UInt64 = 0
  ) throws(ServerFailure) -> PartOutcome? {
    var part = ServerRequest.Part(objectClass, id, wanted, version: version)
    part.text = text
    var request = ServerRequest([part])
    request.key = OperationKey(low: key, high: 0)
    return try server.perform(request, token: token).outcomes.first
  }

  /// The current cursor.
  func cursor() throws -> String { try ask(.cursor(stream: MailServer.stream)).cursor ?? "" }

  /// The changes since a cursor.
  func changes(since cursor: String, limit: Int = 100) throws(ServerFailure) -> Answer {
    try ask(.changes(stream: MailServer.stream, since: cursor, limit: limit))
  }

  /// Makes a draft and returns its id.
  func draft(_ text: String, to recipients: [String] = ["b@x.com"], key: UInt64 = 0) throws
    -> String
  {
    let outcome = try perform(
      .draft, "local-1", .draft(content(text, to: recipients), isNew: true), text: text, key: key)
    guard case .done(_, let id?) = outcome else { return "" }
    return id
  }

  func content(_ text: String, to recipients: [String] = ["b@x.com"]) -> Draft {
    var draft = Draft(id: "local-1", account: 1)
    draft.subject = text
    draft.to = recipients.map { Participant(email: $0) }
    return draft
  }
}

extension ObjectFact {
  /// The change, the class and the id in one line.
  var short: String { "\(fields.change) \(objectClass) \(fields.id ?? "")" }
}
