import EventStore
import Foundation
import Tideline
public import TidelineSync

/// Operations for the server to perform.
extension InboxServer {
  /// Performs the parts one after another, each in its own request, and returns their outcomes.
  ///
  /// - Throws: `ServerFailure`, if the request has a single part.
  public func perform(
    _ request: ServerRequest, token: Token?
  ) async throws(ServerFailure) -> Settlement {
    var settlement = Settlement([])
    for part in request.parts {
      do throws(ServerFailure) {
        let done = try await settled(part, of: request, token)
        settlement.outcomes += done.outcomes
        settlement.facts += done.facts
        settlement.refused += done.refused
        settlement.status = done.status
      } catch {
        guard request.parts.count > 1 else { throw error }
        settlement.outcomes.append(.failed(error))
      }
    }
    return settlement
  }

  func perform(
    _ part: ServerRequest.Part, of whole: ServerRequest, _ token: Token?
  ) async throws(ServerFailure) -> Settlement {
    let (content, key) = (try content(of: part), whole.key)
    guard var request = request(for: part, content, key) else {
      throw ServerFailure(.unsupported)
    }
    request.headers.append(.init("Idempotency-Key", key.line))
    let safety: RequestSafety = part.wanted.isRepeatable ? .repeatable : .once
    let answer = try await courier.answer(
      to: request, token, for: safety, onSent: whole.progress(of: content, in: request))
    let told = try told(by: answer, of: part)
    let outcome = try part.outcome(told, answer)
    var settlement = Settlement([outcome], facts: told.facts, status: Int64(answer.status))
    settlement.refused = told.refused
    return settlement
  }

  /// Returns the request for a part, or `nil` if the API has none.
  private func request(
    for part: ServerRequest.Part, _ content: [UInt8]?, _ key: OperationKey
  ) -> HTTPRequest? {
    switch (part.wanted, part.objectClass) {
    case (.read(let isRead), .message): api.mark(message: part.id, isUnread: !isRead)
    case (.read(let isRead), .thread):
      api.changeTags(
        ofThread: part.id, adding: isRead ? [] : ["unread"],
        removing: isRead ? ["unread", "unseen"] : [])
    case (.tags(let added, let removed), .thread):
      api.changeTags(ofThread: part.id, adding: added.sorted(), removing: removed.sorted())
    case (.tags(let added, let removed), .message):
      api.change(message: part.id, adding: added, removing: removed)
    case (.deletion, let objectClass): api.delete(objectClass, part.id, version: part.version)
    case (.draft(let draft, let isNew), .draft):
      api.save(draft, text: part.text, isNew ? nil : part.id, version: part.version)
    case (.sending, .draft): api.send(draft: part.id, version: part.version)
    case (.tag(let name, let isNew), .tag): api.save(tag: isNew ? nil : part.id, name: name)
    case (.file(let file, _), .file):
      api.upload(content ?? [], named: file.filename ?? "", type: file.contentType, key: key)
    default: nil
    }
  }

  /// Returns the content to upload, if the part is a file.
  private func content(of part: ServerRequest.Part) throws(ServerFailure) -> [UInt8]? {
    guard case .file(_, let path) = part.wanted else { return nil }
    guard let path else { throw ServerFailure(.invalid, message: "the file has no content") }
    let content: [UInt8]
    do { content = try options.content(path) } catch {
      throw ServerFailure(error.meansNoFile ? .invalid : .unreadable, message: "\(error)")
    }
    guard content.count <= WireLimits.fileBytes else {
      let message = "a file of more than \(WireLimits.fileBytes) bytes is not uploaded"
      throw ServerFailure(.tooLarge, message: message)
    }
    return content
  }

  /// Returns what an answer reports about the object.
  ///
  /// - Throws: A failure if the answer is not that of such a server.
  private func told(
    by answer: HTTPAnswer, of part: ServerRequest.Part
  ) throws(ServerFailure) -> WireItems {
    guard !answer.isBlank else { return .none }
    // A sent draft is a message.
    let objectClass = part.wanted.isSending ? .message : part.objectClass
    let told = try answer.read { (bytes) throws(JSONFault) in
      try ObjectAnswer(bytes, of: objectClass, as: .changed)
    }
    return part.wanted == .deletion ? .none : told.items
  }
}

extension ServerRequest.Part {
  /// Returns the outcome of the part from what was reported about the object, which may be only
  /// partly readable.
  fileprivate func outcome(
    _ items: WireItems, _ answer: HTTPAnswer
  ) throws(ServerFailure) -> PartOutcome {
    let told = items.facts.first?.fields
    let toldID = told?.id ?? items.refused.first?.id
    let newID = toldID.flatMap { $0.isEmpty || $0 == id ? nil : $0 }
    switch wanted {
    case .draft(_, isNew: true), .tag(_, isNew: true), .file:
      guard newID != nil else {
        throw ServerFailure(JSONFault(.missing("the new id"), at: 0), in: answer)
      }
      return .done(version: told?.integer(.version), newID: newID)
    // What a person wrote is done only if the server names what it has now; an intermediary may
    // answer with an empty success. Some servers give a draft a new id on every save.
    case .draft, .sending:
      guard toldID?.isEmpty == false, !wanted.isSending || items.facts.first?.objectClass != .draft
      else { throw ServerFailure(JSONFault(.missing("the object"), at: 0), in: answer) }
      return .done(version: told?.integer(.version), newID: newID)
    default: return .done(version: newID == nil ? told?.integer(.version) : nil)
    }
  }
}

extension ServerRequest {
  /// Returns a callback that converts the sent bytes of a request into progress of the content, as
  /// if all bytes around the content came before it.
  fileprivate func progress(
    of content: [UInt8]?, in request: HTTPRequest
  ) -> (@Sendable (Int64) -> Void)? {
    guard let content, let body = request.body else { return nil }
    let (total, around) = (Int64(content.count), Int64(body.count - content.count))
    report(sent: 0, of: total)
    return { sent in report(sent: max(sent - around, 0), of: total) }
  }
}

extension HTTPAnswer {
  /// Whether the body is empty or `null`.
  fileprivate var isBlank: Bool {
    guard body.count <= 8 else { return false }
    let text = body.filter { $0 > 0x20 }
    return text.isEmpty || text.elementsEqual("null".utf8)
  }
}

extension Error {
  /// Whether the error means that the file does not exist, not just that it is unreadable for now.
  fileprivate var meansNoFile: Bool {
    switch self {
    case let error as CocoaError: [.fileReadNoSuchFile, .fileNoSuchFile].contains(error.code)
    case let error as POSIXError: error.code == .ENOENT
    default: false
    }
  }
}
