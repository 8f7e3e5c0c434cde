package import EventStore
package import Tideline

/// A request on its way, with the operations that it is of.
package struct Departure: Sendable {
  /// What tells it from the others of a process.
  package let id: Int
  /// What is sent.
  package var request: ServerRequest
  /// The operations that each of its parts is of.
  let parts: [[OutboxEntry]]

  /// All of its operations.
  var entries: [OutboxEntry] { parts.flatMap(\.self) }

  /// The intent that its key is made of, with ``label``.
  package var intent: RecordNumber { parts.last?.last?.name.intent ?? .zero }

  /// What tells it from requests with other operations, so that no two have the same key.
  package var label: String {
    let entries = entries
    guard entries.count > 1 else { return entries.first?.name.item ?? "" }
    return entries.map(\.name.label).joined(separator: " ")
  }

  /// What its operations have in common, if there are several: by the first of them, which is in no
  /// other request.
  var mark: Int64? {
    let entries = entries
    guard entries.count > 1, let first = entries.first else { return nil }
    return Int64(first.name.label.mark & 0xFFFF_FFFF)
  }

  /// What is recorded of it before it is sent.
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

  /// Whether it does no harm to send it twice.
  var isRepeatable: Bool { request.parts.allSatisfy { $0.wanted.isRepeatable } }

  /// Whether any of it was sent before.
  var wasSentBefore: Bool { parts.indices.contains(where: wasSentBefore) }

  /// Whether some of what a part is of was sent before.
  func wasSentBefore(_ index: Int) -> Bool { parts[index].contains { $0.attempts > 0 } }
}

extension Departure {
  /// Its operations, some at a time: see ``StoreSnapshot/allows(_:of:at:)``.
  package var steps: [ArraySlice<RowID>] {
    let rows = entries.map(\.row)
    let stepMax = OutboxSearch.stepMax
    return stride(from: 0, to: rows.count, by: stepMax).map {
      rows[$0..<min($0 + stepMax, rows.count)]
    }
  }
}

extension StoreSnapshot {
  /// Whether a request with some operations may go, once it is recorded that they are begun:
  /// nothing of it was taken back or held before that, and its login is served, whose data may be
  /// used.
  package func allows(
    _ operations: some Sequence<RowID>, of login: Login, at now: Timestamp
  ) -> Bool {
    isServed(login, at: now) && isAllowed(login.account)
      && operations.allSatisfy { isBegun($0, at: now) }
  }

  private func isBegun(_ operation: RowID, at now: Timestamp) -> Bool {
    var isBegun = false
    lend(operation, in: Operations.collection) { row in
      isBegun =
        row[Operations.state] == .started && row[Operations.heldUntil].map { $0 <= now } ?? true
    }
    return isBegun
  }
}
