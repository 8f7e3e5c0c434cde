package import EventStore
package import Tideline

/// A request being sent, with its operations.
package struct Departure: Sendable {
  /// An id that is unique within the process.
  package let id: Int
  /// The request to send.
  package var request: ServerRequest
  /// The operations behind each part of the request.
  let parts: [[OutboxEntry]]

  /// All operations of the request.
  var entries: FlattenSequence<[[OutboxEntry]]> { parts.joined() }

  /// The intent from which, with ``label``, the request's key is derived.
  package var intent: RecordNumber { parts.last?.last?.name.intent ?? .zero }

  /// Distinguishes requests with different operations, so that no two have the same key.
  package var label: String {
    guard entries.count > 1 else { return entries.first?.name.item ?? "" }
    return entries.map(\.name.label).joined(separator: " ")
  }

  /// A mark shared by the operations if there are several, derived from the first one, which is in
  /// no other request.
  var mark: Int64? {
    guard entries.count > 1, let first = entries.first else { return nil }
    return Int64(first.name.label.mark & 0xFFFF_FFFF)
  }

  /// The events to record before sending.
  package var beginning: [any InboxEvent] {
    let (isRepeatable, request) = (isRepeatable, mark)
    return entries.map { entry in
      OperationStarted {
        $0.name(entry)
        $0.attempt = Int64(entry.attempts + 1)
        $0.isRepeatable = isRepeatable
        $0.request = request
      }
    }
  }

  /// Whether sending the request twice is harmless.
  var isRepeatable: Bool { request.parts.allSatisfy { $0.wanted.isRepeatable } }

  /// Whether any part was sent before.
  var wasSentBefore: Bool { parts.indices.contains(where: wasSentBefore) }

  /// Returns whether any operation of a part was sent before.
  func wasSentBefore(_ index: Int) -> Bool { parts[index].contains { $0.attempts > 0 } }
}

extension StoreSnapshot {
  /// Returns whether a request may be sent after the start of its operations was recorded.
  ///
  /// No operation may have been taken back or held since, no draft to be sent may have been changed
  /// or deleted, the login must be served, and the use of its data must be allowed.
  package func allows(_ departure: Departure, of login: Login, at now: Timestamp) -> Bool {
    isServed(login, at: now) && isAllowed(login.account)
      && departure.entries.allSatisfy { isBegun($0, at: now) && !isOutdated($0.row, at: now) }
  }

  /// Returns whether an operation sends a draft that was saved or deleted since that was decided.
  private func isOutdated(_ operation: RowID, at now: Timestamp) -> Bool {
    var draft: RowLink?
    lend(operation, in: Operations.collection) { row in
      if row[Operations.action] == .sendDraft { draft = row[Operations.object] }
    }
    guard let draft else { return false }
    return operations(from: standing(of: draft.row, .message).operation).contains { row in
      guard let entry = entry(of: row), entry.state == .waiting, !entry.wasBegun else {
        return false
      }
      return entry.isDeletion || entry.action.family == .saving && entry.heldUntil ?? now <= now
    }
  }

  /// Returns whether an operation was begun; its row may be another's if it was lost.
  private func isBegun(_ entry: OutboxEntry, at now: Timestamp) -> Bool {
    var isBegun = false
    lend(entry.row, in: Operations.collection) { row in
      let intent = row[Operations.intent].map(RecordNumber.init(kept:))
      isBegun =
        row[Operations.state] == .started && row[Operations.heldUntil].map { $0 <= now } ?? true
      if intent != entry.name.intent { isBegun = false }
    }
    return isBegun
  }
}
