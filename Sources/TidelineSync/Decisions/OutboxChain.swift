import EventStore
import Tideline

/// The operations on one object that the server has not done, in order.
struct OutboxChain {
  /// What to do about the operations.
  enum Verdict {
    /// Send the first of them as one part.
    case go(ServerRequest.Part, [OutboxEntry])
    /// Record events; no server needed.
    case record([any InboxEvent])
    /// Find out whether the first one was done.
    case doubt(OutboxEntry)
    /// Wait for a time, or for an event if there is none.
    case wait(Timestamp?)
  }

  /// The object of all the operations.
  let object: RowLink
  /// The rows of operations not read yet.
  private var rows: [RowID] = []
  private(set) var entries: [OutboxEntry] = []

  /// The number of operations.
  var count: Int { rows.count + entries.count }

  /// Creates an empty chain.
  init(on object: RowLink) { self.object = object }

  /// Appends an operation.
  mutating func add(_ entry: OutboxEntry) { entries.append(entry) }

  /// Appends an operation to be read before a decision.
  mutating func add(_ row: RowID) { rows.append(row) }

  /// Reads the pending rows; returns whether any operation is left, since they may be gone by now.
  mutating func read(from snapshot: borrowing StoreSnapshot) -> Bool {
    for row in rows {
      guard let entry = snapshot.entry(of: row), entry.object == object, entry.isUnsent else {
        continue
      }
      entries.append(entry)
    }
    rows = []
    putSendingLast()
    return !entries.isEmpty
  }

  /// Moves a sending that has not begun after the savings that follow it: what is saved until the
  /// sending begins is what is sent.
  private mutating func putSendingLast() {
    guard let place = entries.firstIndex(where: { $0.action == .sendDraft }),
      entries[place].isPending
    else { return }
    let savings = entries[(place + 1)...].prefix { $0.action.family == .saving }
    let sending = entries.remove(at: place)
    entries.insert(sending, at: place + savings.count)
  }

  /// Returns what to do about the operations at a time, while some others are being sent.
  func verdict(
    _ snapshot: borrowing StoreSnapshot, _ account: UInt32, _ abilities: ServerAbilities,
    beside others: Set<RowID>, at now: Timestamp
  ) -> Verdict {
    let first = OutboxFacts(entries[0], snapshot, account)
    if first.hasAny(of: others, snapshot) { return .wait(nil) }
    let head = first.isNew ? first.head : head(at: now)
    let facts = head.name == first.head.name ? first : OutboxFacts(head, snapshot, account)
    if head.action == .sendDraft, facts.isSent(snapshot) {
      return .record([OperationAcknowledged { $0.name(head) }])
    }
    if let events = takenBack(at: now) { return .record(events) }
    if head.isStuck { return .wait(nil) }
    if let time = head.notBefore, time > now { return .wait(time) }
    if let deletion = deletion(after: head, at: now) {
      return .wait(deletion.isStuck ? nil : deletion.notBefore)
    }
    switch head.state {
    case .started:
      let begun = entries.drop { $0.name != head.name }.prefix { $0.state == .started }
      return .record(begun.map { interrupted($0, now) })
    case .uncertain where head.action == .sendDraft:
      return abilities.findsSent ? .doubt(head) : .wait(nil)
    default: break
    }
    if let events = settledHere(facts, snapshot, now) { return .record(events) }
    return going(from: head, facts, snapshot, at: now)
  }

  /// Returns the operation that the others wait for: the first, or the deletion of a draft.
  ///
  /// A deletion does not wait for texts to be saved: they go with the draft, or stay if it can't be
  /// deleted. A saving that the server may have done goes first, since it gives the draft a new
  /// version, unless it fails again and again.
  private func head(at now: Timestamp) -> OutboxEntry {
    let savings = entries.prefix { $0.action.family == .saving }
    guard savings.count < entries.count, savings.allSatisfy({ !$0.wasBegun || $0.isInVain })
    else {
      return entries[0]
    }
    let next = entries[savings.count]
    return next.action == .deleteDraft && next.isDue(at: now) ? next : entries[0]
  }

  /// Returns the deletion of an object that is not due, such as one that may be withdrawn, if an
  /// operation would only be sent for it: it waits, and goes with the object or stays.
  private func deletion(after head: OutboxEntry, at now: Timestamp) -> OutboxEntry? {
    let isForNothing =
      switch head.action {
      case .saveDraft, .attach, .saveTag, .addFile: !head.wasBegun
      case .sendDraft: head.isPending
      default: false
      }
    guard isForNothing, let deletion = entries.first(where: \.isDeletion), !deletion.isDue(at: now)
    else { return nil }
    return deletion
  }

  /// Returns events that end the sending of a draft that was deleted since, if it is certain that
  /// it is not under way: nobody may get it any more, even if the deletion fails.
  private func takenBack(at now: Timestamp) -> [any InboxEvent]? {
    guard let place = entries.firstIndex(where: { $0.action == .sendDraft && $0.isPending }),
      entries[place...].contains(where: { $0.isDeletion && $0.isDue(at: now) })
    else { return nil }
    return [abandoned(entries[place], .decided)]
  }

  /// Returns events for operations that end without a server: those on an object to be deleted that
  /// the server never saw, and the sending of a draft that could not be saved.
  private func settledHere(
    _ facts: OutboxFacts, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) -> [any InboxEvent]? {
    let deletion = entries.first(where: \.isDeletion)
    if facts.isNew, let deletion, deletion.notBefore ?? now <= now,
      entries.allSatisfy({ !$0.wasBegun && !$0.isStuck })
    {
      return [OperationAcknowledged { $0.name(deletion) }]
    }
    guard facts.head.action == .sendDraft,
      facts.isNew || facts.head.lacksFile || facts.isFailed(snapshot)
    else { return nil }
    return [dependent(facts.head)]
  }

  /// Returns the event for an operation that depends on one that was refused.
  func dependent(_ entry: OutboxEntry) -> any InboxEvent {
    OperationRejected {
      $0.name(entry)
      $0.reason = .dependency
    }
  }

  /// Returns the event for an operation interrupted by the end of the process.
  private func interrupted(_ entry: OutboxEntry, _ now: Timestamp) -> any InboxEvent {
    if entry.action == .sendDraft {
      return OperationUncertain {
        $0.name(entry)
        $0.reason = .ended
      }
    }
    return OperationDeferred {
      $0.name(entry)
      ($0.reason, $0.until) = (.unreachable, now)
    }
  }

  /// Returns the event for an operation that can no longer be requested; the text of a draft that
  /// was sent meanwhile is kept.
  func unspeakable(_ entry: OutboxEntry, _ isThere: Bool) -> any InboxEvent {
    guard isThere, entry.action == .saveDraft else { return abandoned(entry, .removed) }
    return OperationRejected {
      $0.name(entry)
      $0.reason = .conflict
    }
  }

  func abandoned(
    _ entry: OutboxEntry, _ reason: AbandonmentReason
  ) -> any InboxEvent {
    OperationAbandoned {
      $0.name(entry)
      $0.reason = reason
    }
  }
}
