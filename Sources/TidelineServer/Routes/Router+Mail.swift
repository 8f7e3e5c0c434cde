import EventStore
import Tideline
import TidelineHTTP
import TidelineSimulator
import TidelineSync

/// The routes of the Inbox API.
extension Router {
  /// Answers a request for mail.
  mutating func askMail(_ call: Call) throws(Refusal) -> Reply.Content {
    _ = try mailbox(call)
    switch call.route {
    case ("GET", ["delta", "longpoll"]): return .poll(try deltaQuestion(call))
    case ("GET", ["delta", "streaming"]): return .stream(try deltaQuestion(call))
    case ("GET", ["delta"]):
      return .whole(answer(to: try deltaQuestion(call)))
    case ("GET", let parts): return .whole(try get(parts, call))
    default: return .whole(try change(call))
    }
  }

  private mutating func get(_ parts: [String], _ call: Call) throws(Refusal) -> HTTPAnswer {
    guard let word = parts.first, let objectClass = Self.collections[word] else {
      throw .missing("There is no such thing here")
    }
    switch parts.count {
    case 1: return try list(objectClass, call)
    case 2: return try object(objectClass, parts[1], call)
    case 3 where objectClass == .file && parts[2] == "download":
      return try download(parts[1], call)
    default: throw .missing("There is no such thing here")
    }
  }

  /// The classes that can be requested, by their words in paths.
  private static let collections = Dictionary(
    uniqueKeysWithValues: MailServer.classes.compactMap { objectClass in
      objectClass.word.map { ("\($0)s", objectClass) }
    })

  /// Carries out the change that a request asks for.
  private mutating func change(_ call: Call) throws(Refusal) -> HTTPAnswer {
    try call.target.expect([])
    let parts = call.target.parts
    guard parts.count <= 2, let word = parts.first else {
      throw .missing("There is no such thing here")
    }
    let id = parts.count > 1 ? parts[1] : nil
    return switch ("\(call.request.method) \(word)", id) {
    case ("POST delta", "generate_cursor"?): try generateCursor(call)
    case ("POST delta", "latest_cursor"?): try latestCursor(call)
    case ("PUT threads", let id?): try changeThread(id, call)
    case ("PUT messages", let id?): try changeMessage(id, call)
    case ("POST drafts", nil): try makeDraft(call)
    case ("PUT drafts", let id?): try storeDraft(id, call)
    case ("DELETE drafts", let id?): try deleteDraft(id, call)
    case ("POST send", nil): try send(call)
    case ("POST tags", nil): try saveTag(nil, call)
    case ("PUT tags", let id?): try saveTag(id, call)
    case ("POST files", nil): try upload(call)
    case ("DELETE threads", let id?): try delete(.thread, id, call)
    case ("DELETE messages", let id?): try delete(.message, id, call)
    case ("DELETE contacts", let id?): try delete(.contact, id, call)
    case ("DELETE tags", let id?): try delete(.tag, id, call)
    default: throw Self.impossible(call.request.method, word)
    }
  }

  private static func impossible(_ method: String, _ word: String) -> Refusal {
    guard collections[word] != nil || ["delta", "send"].contains(word) else {
      return .missing("There is no such thing here")
    }
    return Refusal(405, "invalid_request_error", "\(method) is not possible here")
  }

  /// Performs one operation on the mail server; throws the reason it is refused.
  func perform(
    _ objectClass: ObjectClass, _ id: String, _ wanted: ServerRequest.Wanted, _ call: Call,
    version: Int64? = nil, text: String? = nil
  ) throws(Refusal) -> (version: Int64?, newID: String?) {
    let mail = try mailbox(call)
    var part = ServerRequest.Part(objectClass, id, wanted, version: version)
    part.text = text
    var request = ServerRequest([part])
    request.key = call.key
    let settlement: Settlement
    do throws(ServerFailure) {
      settlement = try mail.perform(request, token: call.token)
    } catch {
      throw Refusal(error)
    }
    switch settlement.outcomes.first {
    case .done(let version, let newID)?: return (version, newID)
    case .failed(let failure)?: throw Refusal(failure)
    case .gone?, .unmentioned?, nil: throw .missing("Couldn't find \(objectClass) \(id)")
    }
  }
}

/// Changes of threads, messages and tags.
extension Router {
  private mutating func changeThread(_ id: String, _ call: Call) throws(Refusal) -> HTTPAnswer {
    let (mail, body) = (try mailbox(call), try call.body())
    try body.expect(["add_tags", "remove_tags", "version"])
    if let version = try body.integer("version"), let thread = mail.thread(id),
      thread.version != version
    {
      throw Refusal(409, "invalid_request_error", "The thread has version \(thread.version)")
    }
    let wanted = ServerRequest.Wanted.tags(
      added: try tags("add_tags", body, mail), removed: try tags("remove_tags", body, mail))
    _ = try perform(.thread, id, wanted, call)
    return try object(.thread, id, in: mail)
  }

  /// Returns the ids of tags, which a request may give by id or name.
  private func tags(
    _ name: String, _ body: RequestBody, _ mail: MailServer
  ) throws(Refusal) -> Set<String> {
    Set((try body.texts(name) ?? []).map { mail.tagID($0) ?? $0 })
  }

  private mutating func changeMessage(_ id: String, _ call: Call) throws(Refusal) -> HTTPAnswer {
    let body = try call.body()
    try body.expect(["unread", "starred"])
    let (isUnread, isStarred) = (try body.flag("unread"), try body.flag("starred"))
    guard isUnread != nil || isStarred != nil else {
      throw .invalid("unread or starred must be said")
    }
    if let isUnread { _ = try perform(.message, id, .read(!isUnread), call) }
    if let isStarred {
      let (star, none): (Set, Set<String>) = (["starred"], [])
      let wanted = ServerRequest.Wanted.tags(
        added: isStarred ? star : none, removed: isStarred ? none : star)
      _ = try perform(.message, id, wanted, call)
    }
    return try object(.message, id, in: try mailbox(call))
  }

  private func delete(
    _ objectClass: ObjectClass, _ id: String, _ call: Call
  ) throws(Refusal) -> HTTPAnswer {
    _ = try perform(objectClass, id, .deletion, call)
    return HTTPAnswer { $0.null() }
  }

  private mutating func saveTag(_ id: String?, _ call: Call) throws(Refusal) -> HTTPAnswer {
    let body = try call.body()
    try body.expect(["name"])
    guard let name = try body.text("name") else { throw .invalid("name must be said") }
    let done = try perform(.tag, id ?? "local-tag", .tag(name: name, isNew: id == nil), call)
    return try object(.tag, id ?? done.newID ?? "", in: try mailbox(call))
  }
}
