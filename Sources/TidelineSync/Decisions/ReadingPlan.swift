import Tideline

/// Determines which messages to query after their thread was marked read.
///
/// A message may be reported unread before the answer that its thread is read. Nobody knows which
/// change reached the server last, so the message is queried again afterwards.
struct ReadingPlan {
  /// The threads being marked read, with their messages reported unread since.
  private var told: [String: Set<String>] = [:]
  /// The limits of threads, and of messages in each.
  private static let (threadsMax, messagesMax) = (256, 64)

  /// Notes that a request is being sent.
  mutating func depart(_ request: ServerRequest) {
    for part in request.parts where part.isReading && told.count < Self.threadsMax {
      told[part.id] = told[part.id] ?? []
    }
  }

  /// Notes facts from a server.
  mutating func take(_ facts: [ObjectFact]) {
    guard !told.isEmpty else { return }
    for fact in facts where fact.objectClass == .message {
      guard fact.fields.boolean(.isUnread) == true, let id = fact.fields.id,
        let thread = fact.fields.text(.thread), told[thread]?.count ?? .max < Self.messagesMax
      else { continue }
      told[thread]?.insert(id)
    }
  }

  /// Returns the questions to ask after the outcome of a part; empty while the part is to be
  /// retried.
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
  /// Whether the part marks a thread as read.
  fileprivate var isReading: Bool { objectClass == .thread && wanted == .read(true) }
}
