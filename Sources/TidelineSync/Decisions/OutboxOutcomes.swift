import EventStore
import Tideline

/// Converts a server's answer to events.
struct OutboxOutcomes {
  let departure: Departure
  let now: Timestamp
  let backoff: Backoff
  /// A random number.
  let draw: UInt64

  /// Returns the events for the result of a request.
  func events(for result: Result<Settlement, ServerFailure>) -> [any InboxEvent] {
    switch result {
    case .success(let settlement): events(for: settlement)
    case .failure(let failure): events(for: failure)
    }
  }

  /// Returns the events for a server's settlement of a request.
  private func events(for settlement: Settlement) -> [any InboxEvent] {
    departure.request.parts.indices.flatMap { index in
      let outcome =
        index < settlement.outcomes.count ? settlement.outcomes[index] : .unmentioned
      return events(for: outcome, of: index, status: settlement.status)
    }
  }

  /// Returns the events for a request without an answer.
  private func events(for failure: ServerFailure) -> [any InboxEvent] {
    departure.request.parts.indices.flatMap {
      events(for: .failed(failure), of: $0, status: failure.status)
    }
  }

  /// Returns the events for a request that was not sent.
  ///
  /// - Parameter isWanted: Whether all of it is still wanted, so that it goes once sending is
  ///   possible. Otherwise the rest may go at once, unless this happens repeatedly.
  func eventsOfKeptBack(isWanted: Bool) -> [any InboxEvent] {
    departure.entries.map { entry in
      deferred(
        entry, .notSent, ServerFailure(.notSent), isAtOnce: isWanted || entry.attempts == 0)
    }
  }

  private func events(
    for outcome: PartOutcome, of index: Int, status: Int64?
  ) -> [any InboxEvent] {
    let (part, entries) = (departure.request.parts[index], departure.parts[index])
    switch outcome {
    case .done(_, let newID?) where newID.utf8.count > Delivery.idBytesMax:
      let failure = ServerFailure(
        .invalid, status: status,
        message: "The new id has \(newID.utf8.count) bytes; the limit is \(Delivery.idBytesMax).")
      return entries.map { rejection($0, .invalid, failure) }
    case .done(let version, let newID):
      return remapped(part, entries[0], by: newID)
        + entries.map { acknowledged($0, version: version, status) }
    case .gone: return entries.map { gone($0, part, status) }
    case .unmentioned:
      let failure = ServerFailure(.lostAnswer, status: status)
      return entries.map { unknown($0, part, failure, .notInAnswer) }
    case .failed(let failure): return entries.map { failed($0, part, failure) }
    }
  }

  private func remapped(
    _ part: ServerRequest.Part, _ entry: OutboxEntry, by newID: String?
  ) -> [any InboxEvent] {
    guard let newID, !newID.isEmpty, newID != part.id else { return [] }
    return [
      IDReplaced {
        ($0.objectClass, $0.old, $0.new) = (part.objectClass, entry.name.item, newID)
        $0.intent = entry.name.intent
      }
    ]
  }

  private func acknowledged(
    _ entry: OutboxEntry, version: Int64?, _ status: Int64?
  ) -> any InboxEvent {
    OperationAcknowledged {
      $0.name(entry)
      ($0.version, $0.status) = (version, status)
    }
  }

  /// Returns the outcome of an operation on an object that is gone; a person's text is kept.
  private func gone(
    _ entry: OutboxEntry, _ part: ServerRequest.Part, _ status: Int64?
  ) -> any InboxEvent {
    switch entry.action {
    case .saveDraft, .attach, .sendDraft, .saveTag, .addFile:
      return rejection(entry, .conflict, ServerFailure(.notFound, status: status))
    case .reportOpened, .reportDownloaded: return acknowledged(entry, version: nil, status)
    default:
      return OperationAcknowledged {
        $0.name(entry)
        ($0.isGone, $0.status) = (true, status)
      }
    }
  }

  private func failed(
    _ entry: OutboxEntry, _ part: ServerRequest.Part, _ failure: ServerFailure
  ) -> any InboxEvent {
    switch failure.reason {
    case .notSent, .unreadable: return deferred(entry, .notSent, failure)
    case .lostAnswer: return unknown(entry, part, failure, .lostAnswer)
    case .throttled: return deferred(entry, .throttled, failure)
    case .server: return deferred(entry, .server, failure)
    case .unauthorized, .forbidden: return deferred(entry, .authorization, failure)
    case .notFound where part.mayLackTag:
      return entry.attempts == 0
        ? deferred(entry, .conflict, failure) : rejection(entry, .conflict, failure)
    case .notFound: return gone(entry, part, failure.status)
    case .conflict:
      return part.isTriedAfresh
        ? deferred(entry, .conflict, failure) : rejection(entry, .conflict, failure)
    case .cursorUnknown, .invalid: return rejection(entry, .invalid, failure)
    case .unsupported: return rejection(entry, .unsupported, failure)
    case .tooLarge: return rejection(entry, .tooLarge, failure)
    case .refused: return rejection(entry, .refused, failure)
    }
  }

  /// Returns the event for an operation that may have been done.
  ///
  /// It is retried under the same key, unless it sends something to people. A duplicate made by a
  /// server that ignores keys is visible; an operation that was not done would be lost.
  private func unknown(
    _ entry: OutboxEntry, _ part: ServerRequest.Part, _ failure: ServerFailure,
    _ reason: UncertaintyReason
  ) -> any InboxEvent {
    guard part.wanted.isSending else { return deferred(entry, .timeout, failure) }
    return OperationUncertain {
      $0.name(entry)
      ($0.reason, $0.status, $0.error) = (reason, failure.status, failure.message)
    }
  }

  /// Returns the event for an operation to be retried: after a wait, or once a token exists if that
  /// was missing.
  private func deferred(
    _ entry: OutboxEntry, _ reason: DeferralReason, _ failure: ServerFailure,
    isAtOnce: Bool = false
  ) -> any InboxEvent {
    let wait =
      isAtOnce
      ? .zero
      : backoff.wait(after: entry.attempts + 1, atLeast: failure.retryAfter, draw: draw)
    return OperationDeferred {
      $0.name(entry)
      ($0.reason, $0.status, $0.error) = (reason, failure.status, failure.message)
      if reason != .authorization { $0.until = now.advanced(by: wait) }
    }
  }

  private func rejection(
    _ entry: OutboxEntry, _ reason: RejectionReason, _ failure: ServerFailure
  ) -> any InboxEvent {
    OperationRejected {
      $0.name(entry)
      ($0.reason, $0.status, $0.error) = (reason, failure.status, failure.message)
    }
  }
}

extension ServerRequest.Part {
  /// Whether a conflict leads to another attempt, which excludes a person's text and a name that is
  /// taken.
  fileprivate var isTriedAfresh: Bool {
    wanted.isRepeatable && objectClass != .draft && objectClass != .tag
  }

  /// Whether a server's "not found" may mean a tag instead of the object.
  ///
  /// The operation is retried once while the object is queried. If the object is gone, so is the
  /// operation. Otherwise what it wants is impossible.
  var mayLackTag: Bool {
    guard case .tags(let added, let removed) = wanted else { return false }
    return !added.union(removed).isSubset(of: Self.tagsOfAll)
  }

  /// The tags that every mailbox has.
  private static let tagsOfAll: Set = [
    "inbox", "archive", "unread", "unseen", "starred", "sent", "drafts", "trash", "spam",
  ]
}
