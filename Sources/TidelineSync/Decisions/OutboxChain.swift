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

  let object: UInt64
  private(set) var entries: [OutboxEntry]

  /// The chains of operations in their order, but for those on some objects.
  static func chains(of entries: [OutboxEntry], except busy: Set<UInt64>) -> [OutboxChain] {
    var (chains, places): ([OutboxChain], [UInt64: Int]) = ([], [:])
    for entry in entries where !busy.contains(entry.object) {
      if let place = places[entry.object] {
        chains[place].entries.append(entry)
      } else {
        places[entry.object] = chains.count
        chains.append(OutboxChain(object: entry.object, entries: [entry]))
      }
    }
    return chains
  }

  /// What is to be done about them at a time.
  func verdict(
    _ snapshot: borrowing StoreSnapshot, _ account: UInt32, _ abilities: ServerAbilities,
    at now: Timestamp
  ) -> Verdict {
    let head = entries[0]
    if head.isStuck { return .wait(nil) }
    if let time = head.notBefore, time > now { return .wait(time) }
    let facts = OutboxFacts(head, snapshot, account)
    switch head.state {
    case .started: return .record([interrupted(head, facts, now)])
    case .uncertain where head.action == .sendDraft || facts.makesAnew:
      return abilities.findsSent && head.action == .sendDraft ? .doubt(head) : .wait(nil)
    default: break
    }
    if let events = settledHere(facts, now) { return .record(events) }
    if facts.isDependent(snapshot) { return .wait(nil) }
    // What is made goes alone, so that it goes under the same name if it has to again.
    let group = facts.makesAnew ? [head] : group(at: now)
    if group.count > 1, facts.isAsToldAlready(group, snapshot) {
      return .record(group.map { abandoned($0, .superseded) })
    }
    // What is not shown any more, such as a draft that is to be deleted, can't be asked for.
    guard let part = facts.part(of: group, snapshot) else {
      return .record(group.map { abandoned($0, .removed) })
    }
    return .go(part, group)
  }

  /// The operations that go as one: those of the first one's family up to the first of another.
  ///
  /// None of them was begun before: what was begun goes again as it was. To read a thread, and then
  /// to mark it unread, is more than the latter: its messages are read.
  private func group(at now: Timestamp) -> [OutboxEntry] {
    let head = entries[0]
    guard !head.wasBegun, head.action.family != .other else { return [head] }
    return Array(
      entries.prefix { entry in
        entry.state == .waiting && !entry.wasBegun && !entry.isStuck
          && entry.notBefore ?? now <= now && entry.action.family == head.action.family
          && (head.objectClass != .thread || entry.isTrue == head.isTrue)
      })
  }

  /// What is recorded of operations that are over without a server: those on a draft that it never
  /// saw, once it is to be deleted; and the sending of what could not be saved.
  private func settledHere(_ facts: OutboxFacts, _ now: Timestamp) -> [any InboxEvent]? {
    guard facts.head.objectClass == .draft else { return nil }
    let deletion = entries.first { $0.action == .deleteDraft }
    if facts.isNew, let deletion, deletion.notBefore ?? now <= now,
      entries.allSatisfy({ !$0.wasBegun && !$0.isStuck })
    {
      return [OperationAcknowledged { $0.name(deletion) }]
    }
    guard facts.head.action == .sendDraft, facts.isNew else { return nil }
    return [
      OperationRejected {
        $0.name(facts.head)
        $0.reason = .dependency
      }
    ]
  }

  /// What is recorded of an operation that the end of a process interrupted.
  private func interrupted(
    _ entry: OutboxEntry, _ facts: OutboxFacts, _ now: Timestamp
  ) -> any InboxEvent {
    let isUncertain = entry.action == .sendDraft || facts.makesAnew
    if isUncertain {
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

  private func abandoned(
    _ entry: OutboxEntry, _ reason: AbandonmentReason
  ) -> any InboxEvent {
    OperationAbandoned {
      $0.name(entry)
      $0.reason = reason
    }
  }
}
