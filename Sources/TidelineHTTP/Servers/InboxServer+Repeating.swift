import EventStore
import Tideline
import TidelineSync

/// Repeated requests. A server that ignores keys takes what it did the first time for another's
/// change.
extension InboxServer {
  /// Performs a part, unless the server turns out to have done so when it was sent before.
  func settled(
    _ part: ServerRequest.Part, of whole: ServerRequest, _ token: Token?
  ) async throws(ServerFailure) -> Settlement {
    do throws(ServerFailure) { return try await perform(part, of: whole, token) } catch {
      guard error.reason == .conflict, part.wasTriedBefore,
        let outcome = try await earlierOutcome(of: part, token)
      else { throw error }
      return Settlement([outcome], status: error.status)
    }
  }

  /// Returns the outcome of the part when it was sent before, if the server's state shows one.
  ///
  /// - Throws: A failure after which the part is to be tried again.
  private func earlierOutcome(
    of part: ServerRequest.Part, _ token: Token?
  ) async throws(ServerFailure) -> PartOutcome? {
    switch part.wanted {
    case .draft(let draft, isNew: false):
      let now = try await look(for: .object(.draft, id: part.id), token)?.first
      return now.flatMap { part.outcome(of: draft, from: $0) }
    case .tag(let name, isNew: true):
      let all = Question.list(.tag, by: [], offset: 0, limit: InboxAPI.limitMax)
      // The API has tags in lowercase.
      let tag = try await look(for: all, token)?
        .first { $0.text(.name)?.lowercased() == name.lowercased() }
      return (tag?.id).map { .done(newID: $0) }
    default: return nil
    }
  }

  private func look(
    for question: Question, _ token: Token?
  ) async throws(ServerFailure) -> [ObjectFields]? {
    do throws(ServerFailure) {
      return try await answer(question, token: token).facts.map(\.fields)
    } catch {
      switch error.reason {
      case .notSent, .lostAnswer, .throttled, .server, .unauthorized: throw error
      default: return nil
      }
    }
  }
}

extension ServerRequest.Part {
  /// Returns the outcome of saving a draft if the server's draft is what was to be saved, one
  /// version later.
  fileprivate func outcome(of draft: Draft, from now: ObjectFields) -> PartOutcome? {
    guard let version, let next = now.integer(.version), next == version &+ 1,
      draft.isSaid(by: now, text: text)
    else { return nil }
    return .done(version: next)
  }
}

extension Draft {
  /// Whether a server's object has everything that a request to save this draft states.
  fileprivate func isSaid(by now: ObjectFields, text: String?) -> Bool {
    let people: [(ObjectField, KeyPath<Draft, [Participant]>)] = [
      (.from, \.from), (.replyTo, \.replyTo), (.to, \.to), (.cc, \.cc), (.bcc, \.bcc),
    ]
    let areThose = people.allSatisfy { field, property in
      !states(property)
        || (now.people(field) ?? []).map(\.email) == self[keyPath: property].map(\.email)
    }
    let files = Set(now.files(.files)?.compactMap(\.id) ?? now.texts(.fileIDs) ?? [])
    return areThose && (!statesSubject || now.text(.subject) ?? "" == subject ?? "")
      && (!states(text: text) || now.text(.body) ?? "" == text ?? "")
      && (!statesFiles || files == fileIDs)
  }
}
