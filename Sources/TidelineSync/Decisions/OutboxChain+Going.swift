import EventStore
import Tideline

/// What of a chain of operations goes as one part of a request.
extension OutboxChain {
  /// Returns what to do about operations of which the first is due.
  func going(
    from head: OutboxEntry, _ facts: OutboxFacts, _ snapshot: borrowing StoreSnapshot,
    at now: Timestamp
  ) -> Verdict {
    let others = facts.unsentMarkings(snapshot)
    if let earlier = others.first(where: {
      $0.name.intent < head.name.intent && !$0.isInVain
    }) {
      let isForTime = !earlier.isStuck && !earlier.isDue(at: now)
      return .wait(isForTime ? earlier.notBefore : nil)
    }
    let candidates = candidates(from: head, until: others.map(\.name.intent).min(), at: now)
    let footings = facts.footings(of: candidates, snapshot)
    guard let last = last(of: candidates, by: footings, facts) else {
      // What was begun can't go again as it was if a file of it is gone by now.
      let lost = head.wasBegun ? footings.firstIndex(of: .lost) : nil
      let isLost = lost != nil || footings.first == .lost
      return isLost ? .record([dependent(candidates[lost ?? 0])]) : .wait(nil)
    }
    let group = Array(candidates[...last])
    if group.count > 1, !head.wasBegun, facts.isAsToldAlready(group, snapshot) {
      return .record(group.map { abandoned($0, .superseded) })
    }
    guard let part = facts.part(of: group, snapshot) else {
      return .record(group.map { unspeakable($0, facts.isThere(snapshot)) })
    }
    return .go(part, group)
  }

  /// Returns the place of the last of some operations that can go as one; `nil` if the server lacks
  /// what the first needs and no later one makes up for that, or what begun ones need together.
  private func last(
    of candidates: [OutboxEntry], by footings: [OutboxFacts.Footing], _ facts: OutboxFacts
  ) -> Int? {
    if facts.head.wasBegun {
      return footings.last == .firm ? candidates.indices.last : nil
    }
    // What creates an object goes with as little as possible: a server that ignores keys makes a
    // duplicate of all that is sent again.
    return facts.makesAnew ? footings.firstIndex(of: .firm) : footings.lastIndex(of: .firm)
  }

  /// Returns the operations that may go as one part: from the first up to one of another family.
  ///
  /// Started operations are resent unchanged, with all others that they were sent with. The server
  /// thus recognizes the key and acts once, however late the first request arrives. Held operations
  /// were never part of it. Marking a thread read and then unread differs from only marking it
  /// unread, since its messages become read.
  ///
  /// - Parameter end: The first intent that is carried out elsewhere before any later one goes.
  private func candidates(
    from head: OutboxEntry, until end: RecordNumber?, at now: Timestamp
  ) -> [OutboxEntry] {
    guard head.action.family != .other else { return [head] }
    guard !head.wasBegun else {
      return Array(
        entries.prefix {
          $0.wasBegun && $0.heldUntil ?? now <= now && $0.action.family == head.action.family
        })
    }
    let others = entries.dropFirst().prefix { entry in
      entry.state == .waiting && !entry.wasBegun && entry.isDue(at: now)
        && entry.action.family == head.action.family
        && (head.objectClass != .thread || entry.isTrue == head.isTrue)
        && end.map { entry.name.intent < $0 } ?? true
    }
    return [head] + others
  }
}
