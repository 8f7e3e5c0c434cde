import EventStore
import Tideline
public import TidelineSync

/// Questions to the server.
extension InboxServer {
  /// Returns the API's answer to a question.
  ///
  /// - Throws: `ServerFailure`, also if the answer is not that of such a server.
  public func answer(
    _ question: Question, token: Token?
  ) async throws(ServerFailure) -> Answer {
    switch question {
    case .cursor: try await cursor(token)
    case .changes(_, let since, let limit): try await changes(since: since, limit, token)
    case .page(let objectClass, let offset, let limit):
      try await page(objectClass, offset: offset, limit: min(limit, InboxAPI.limitMax), token)
    case .list(let objectClass, let filters, let offset, let limit):
      try await list(
        api.list(objectClass, by: filters, offset: offset, limit: limit), objectClass, limit, token)
    case .object(let objectClass, let id):
      try await object(api.object(objectClass, id), objectClass, token)
    case .sent(_, let id): try await sent(id, token)
    case .all: throw ServerFailure(.unsupported)
    }
  }

  /// Returns a cursor after all changes so far.
  ///
  /// Older servers only know cursors before a moment; changes that are then reported twice do no
  /// harm.
  private func cursor(_ token: Token?) async throws(ServerFailure) -> Answer {
    do throws(ServerFailure) {
      return try await cursor(api.latestCursor(), token)
    } catch  where error.reason == .unsupported || error.status == 404 {
      let seconds = courier.now().rawValue / 1000
      return try await cursor(api.cursor(before: seconds), token)
    }
  }

  private func cursor(
    _ request: HTTPRequest, _ token: Token?
  ) async throws(ServerFailure) -> Answer {
    let (answer, status) = try await courier.answer(
      to: request, token, for: .question, reading: CursorAnswer.init)
    return Answer {
      $0.cursor = answer.cursor
      $0.status = status
    }
  }

  private func changes(
    since cursor: String, _ limit: Int, _ token: Token?
  ) async throws(ServerFailure) -> Answer {
    let (page, status) = try await courier.answer(
      to: api.deltas(since: cursor, limit: min(limit, InboxAPI.limitMax)), token, for: .changes,
      reading: DeltaPage.init)
    return Answer {
      $0.take(page.items, status)
      ($0.cursor, $0.isLast) = (page.end, page.isLast)
    }
  }

  private func list(
    _ request: HTTPRequest?, _ objectClass: ObjectClass, _ limit: Int, _ token: Token?
  ) async throws(ServerFailure) -> Answer {
    let (list, status) = try await objects(request, objectClass, token)
    guard list.isList else { throw ServerFailure(.lostAnswer, status: status) }
    return Answer {
      $0.take(list.items, status)
      $0.isLast = list.items.count < min(limit, InboxAPI.limitMax)
    }
  }

  /// Returns a page of all objects of a class.
  ///
  /// A short page may not be the last: some servers return fewer objects than asked for, always or
  /// for a while. Only a page of one object, or of none, shows the end: each page begins with what
  /// the one before it ended with, so that nothing follows what was listed.
  private func page(
    _ objectClass: ObjectClass, offset: Int, limit: Int, _ token: Token?
  ) async throws(ServerFailure) -> Answer {
    let request = api.list(objectClass, offset: offset, limit: limit)
    var answer = try await list(request, objectClass, limit, token)
    let count = answer.facts.count + answer.refused.count
    answer.isLast = count < limit && count <= 1
    return answer
  }

  private func object(
    _ request: HTTPRequest?, _ objectClass: ObjectClass, _ token: Token?
  ) async throws(ServerFailure) -> Answer {
    let (object, status) = try await objects(request, objectClass, token)
    guard !object.isList else { throw ServerFailure(.lostAnswer, status: status) }
    return Answer { $0.take(object.items, status) }
  }

  /// Returns the message that a sent draft has become, under the same id.
  ///
  /// - Throws: `notFound` if it is still a draft, which some servers return under that path;
  ///   another failure if the answer does not tell.
  private func sent(_ id: String, _ token: Token?) async throws(ServerFailure) -> Answer {
    var answer = try await object(api.object(.message, id), .message, token)
    guard answer.refused.isEmpty else { throw ServerFailure(.invalid, status: answer.status) }
    answer.facts.removeAll { $0.objectClass != .message }
    guard !answer.facts.isEmpty else { throw ServerFailure(.notFound, status: answer.status) }
    return answer
  }

  private func objects(
    _ request: HTTPRequest?, _ objectClass: ObjectClass, _ token: Token?
  ) async throws(ServerFailure) -> (ObjectAnswer, status: Int64) {
    guard let request else { throw ServerFailure(.unsupported) }
    return try await courier.answer(to: request, token, for: .question) {
      (bytes) throws(JSONFault) in try ObjectAnswer(bytes, of: objectClass)
    }
  }
}

extension Answer {
  /// Takes the items that were read; an unreadable item exists nevertheless.
  mutating func take(_ items: WireItems, _ status: Int64) {
    (facts, refused, self.status) = (items.facts, items.refused, status)
    isComplete = items.refused.isEmpty
  }
}
