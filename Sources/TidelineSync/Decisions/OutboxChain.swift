import EventStore
import Tideline

/// The operations on one object that the server has not done, in their order.
struct OutboxChain {
  /// What is to be done about them.
  enum Verdict {
    /// The first of them are to be sent, as one.
    case go(ServerRequest.Part, [OutboxEntry])
    /// They need no server.
    case record([any InboxEvent])
    /// It is to be found out whether the first was done.
    case doubt(OutboxEntry)
    /// They wait: for a time, or for something to happen.
    case wait(Timestamp?)
  }

  /// The object that all of them are on.
  let object: RowLink
  /// Those of which no more is known yet than where they are.
  private var rows: [RowID] = []
  private(set) var entries: [OutboxEntry] = []

  /// How many operations there are.
  var count: Int { rows.count + entries.count }

  /// One without operations.
  init(on object: RowLink) { self.object = object }

  /// Adds an operation behind the others.
  mutating func add(_ entry: OutboxEntry) { entries.append(entry) }

  /// Adds an operation behind the others, which is to be read before anything is decided.
  mutating func add(_ row: RowID) { rows.append(row) }

  /// Reads what is to be read of it; says whether there is anything, as it may be gone by now.
  mutating func read(from snapshot: borrowing StoreSnapshot) -> Bool {
    for row in rows {
      guard let entry = snapshot.entry(of: row), entry.object == object, entry.isUnsent else {
        continue
      }
      entries.append(entry)
    }
    rows = []
    return !entries.isEmpty
  }

  /// What is to be done about them at a time.
  func verdict(
    _ snapshot: borrowing StoreSnapshot, _ account: UInt32, _ abilities: ServerAbilities,
    at now: Timestamp
  ) -> Verdict {
    let first = OutboxFacts(entries[0], snapshot, account)
    let head = first.isNew ? first.head : head(at: now)
    let facts = head.name == first.head.name ? first : OutboxFacts(head, snapshot, account)
    if head.action == .sendDraft, facts.isSent(snapshot) {
      return .record([OperationAcknowledged { $0.name(head) }])
    }
    if head.isStuck { return .wait(nil) }
    if let time = head.notBefore, time > now { return .wait(time) }
    switch head.state {
    case .started:
      let begun = entries.drop { $0.name != head.name }.prefix { $0.state == .started }
      return .record(begun.map { interrupted($0, now) })
    case .uncertain where head.action == .sendDraft:
      return abilities.findsSent ? .doubt(head) : .wait(nil)
    default: break
    }
    if let events = settledHere(facts, snapshot, now) { return .record(events) }
    switch facts.footing(of: head, snapshot) {
    case .firm: break
    case .awaited: return .wait(nil)
    case .lost: return .record([dependent(head)])
    }
    // What is made goes alone, so that it goes under the same name if it has to again.
    let group = facts.makesAnew ? [head] : group(from: head, facts, snapshot, at: now)
    if group.count > 1, !head.wasBegun, facts.isAsToldAlready(group, snapshot) {
      return .record(group.map { abandoned($0, .superseded) })
    }
    guard let part = facts.part(of: group, snapshot) else {
      return .record(group.map { unspeakable($0, facts.isSent(snapshot)) })
    }
    return .go(part, group)
  }

  /// The operation that everything else waits for: the first, or that a draft is deleted.
  ///
  /// That needs no text to be saved before: texts go with the draft, or stay if it can't be.
  private func head(at now: Timestamp) -> OutboxEntry {
    let savings = entries.prefix { $0.action.family == .saving }
    guard savings.count < entries.count, savings.allSatisfy({ $0.state != .started }) else {
      return entries[0]
    }
    let next = entries[savings.count]
    let isDue = next.action == .deleteDraft && !next.isStuck && next.notBefore ?? now <= now
    return isDue ? next : entries[0]
  }

  /// The operations that go as one: those of the first one's family up to the first of another.
  ///
  /// What was begun goes again as it was, with all that went with it: so the server knows it by its
  /// key, and does it once, however late the first arrives. What is held back never went with it.
  /// To read a thread, and then to mark it unread, is more than the latter: its messages are read.
  private func group(
    from head: OutboxEntry, _ facts: OutboxFacts, _ snapshot: borrowing StoreSnapshot,
    at now: Timestamp
  ) -> [OutboxEntry] {
    guard head.action.family != .other else { return [head] }
    guard !head.wasBegun else {
      return Array(
        entries.prefix {
          $0.wasBegun && $0.heldUntil ?? now <= now && $0.action.family == head.action.family
        })
    }
    var group: [OutboxEntry] = []
    for entry in entries {
      guard
        entry.state == .waiting && !entry.wasBegun && !entry.isStuck
          && entry.notBefore ?? now <= now && entry.action.family == head.action.family
          && (head.objectClass != .thread || entry.isTrue == head.isTrue),
        facts.footing(of: entry, snapshot) == .firm
      else { break }
      group.append(entry)
    }
    return group
  }

  /// What is recorded of operations that are over without a server: those on a draft that it never
  /// saw, once it is to be deleted; and the sending of what could not be saved.
  private func settledHere(
    _ facts: OutboxFacts, _ snapshot: borrowing StoreSnapshot, _ now: Timestamp
  ) -> [any InboxEvent]? {
    guard facts.head.objectClass == .draft else { return nil }
    let deletion = entries.first { $0.action == .deleteDraft }
    if facts.isNew, let deletion, deletion.notBefore ?? now <= now,
      entries.allSatisfy({ !$0.wasBegun && !$0.isStuck })
    {
      return [OperationAcknowledged { $0.name(deletion) }]
    }
    guard facts.head.action == .sendDraft, facts.isNew || facts.isFailed(snapshot) else {
      return nil
    }
    return [dependent(facts.head)]
  }

  /// What is recorded of what can't be asked for, as something that it needs was refused.
  private func dependent(_ entry: OutboxEntry) -> any InboxEvent {
    OperationRejected {
      $0.name(entry)
      $0.reason = .dependency
    }
  }

  /// What is recorded of an operation that the end of a process interrupted.
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

  /// What is recorded of what can't be asked for any more: the text of what somebody has sent
  /// elsewhere is kept.
  private func unspeakable(_ entry: OutboxEntry, _ isSent: Bool) -> any InboxEvent {
    guard isSent, entry.action == .saveDraft else { return abandoned(entry, .removed) }
    return OperationRejected {
      $0.name(entry)
      $0.reason = .conflict
    }
  }

  private func abandoned(
    _ entry: OutboxEntry, _ reason: AbandonmentReason
  ) -> any InboxEvent {
    OperationAbandoned {
      $0.name(entry)
      $0.reason = reason
    }
  }
}
