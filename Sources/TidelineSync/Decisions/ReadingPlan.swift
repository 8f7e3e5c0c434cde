import Tideline

/// Finds out which messages are to be seen as they are once their thread was read.
///
/// That a message is unread may have been told before the answer says that its thread was read, and
/// nobody knows which of the two the server came to last: so it is asked again behind it.
struct ReadingPlan {
  /// The threads that are to be read, with their messages that were told to be unread since.
  private var told: [String: Set<String>] = [:]
  /// Of how many threads, and of each of how many messages, that is known.
  private static let (threadsMax, messagesMax) = (256, 64)

  /// Notes that a request is on its way.
  mutating func depart(_ request: ServerRequest) {
    for part in request.parts where part.isReading && told.count < Self.threadsMax {
      told[part.id] = told[part.id] ?? []
    }
  }

  /// Notes what a server tells.
  mutating func take(_ facts: [ObjectFact]) {
    guard !told.isEmpty else { return }
    for fact in facts where fact.objectClass == .message {
      guard fact.fields.boolean(.isUnread) == true, let id = fact.fields.id,
        let thread = fact.fields.text(.thread), told[thread]?.count ?? .max < Self.messagesMax
      else { continue }
      told[thread]?.insert(id)
    }
  }

  /// What is asked now that it is known what became of a part of a request; nothing while it is to
  /// be tried again.
  mutating func take(_ outcome: PartOutcome, of part: ServerRequest.Part) -> [Question] {
    guard part.isReading else { return [] }
    switch outcome {
    case .done:
      let messages = told.removeValue(forKey: part.id) ?? []
      return messages.sorted().map { .object(.message, id: $0) }
    case .gone: told[part.id] = nil
    case .failed, .unmentioned: break
    }
    return []
  }
}

extension ServerRequest.Part {
  /// Whether a thread is to be read.
  fileprivate var isReading: Bool { objectClass == .thread && wanted == .read(true) }
}
