import EventStore

/// What was acknowledged before another operation on the same object that is about the same: the
/// server did it first, so it says nothing any more once the other is over.
extension ReducerState {
  /// How much of an operation another one is about as well.
  private enum Overlap {
    case none
    case some(Set<String>)
    case all
  }

  /// Whether something that was acknowledged before is about what an operation is about.
  mutating func isBehindAcknowledged(_ pending: Pending) -> Bool {
    acknowledged(before: pending).contains {
      if case .none = overlap(of: $0, with: pending) { false } else { true }
    }
  }

  /// Ends what was acknowledged before an operation that is over, as far as it is about the same.
  mutating func endOvertaken(by pending: Pending, _ occasion: Occasion) {
    let ended = acknowledged(before: pending).filter { earlier in
      switch overlap(of: earlier, with: pending) {
      case .none: return false
      case .all: return true
      case .some(let tags):
        change(earlier) { row in
          for field in [Operations.added, Operations.removed] {
            row.set(field, (row[field] ?? []).intersection(tags))
          }
        }
        return false
      }
    }
    if !ended.isEmpty {
      end(ended.map { Pending(operation: $0, entity: pending.entity) }, occasion)
    }
  }

  private mutating func acknowledged(before pending: Pending) -> [RowHandle] {
    operations(of: pending.entity.row).prefix { $0 != pending.operation }
      .filter { self[$0, Operations.state] == .acknowledged }
  }

  /// Of tags these are what the other says nothing of.
  private mutating func overlap(of earlier: RowHandle, with later: Pending) -> Overlap {
    let isOfThread = later.entity.kind.objectClass == .thread
    let (one, other) = (self[earlier, Operations.action], self[later.operation, Operations.action])
    switch (one, other) {
    case (.markRead, .markRead), (.delete, .delete): return .all
    case (.changeTags, .changeTags): break
    case (.changeTags, .markRead), (.markRead, .changeTags): guard isOfThread else { return .none }
    default: return .none
    }
    let account = UInt32(truncatingIfNeeded: self[earlier, Operations.account] ?? 0)
    let (tags, others) = (tagsSaid(by: earlier), tagsSaid(by: later.operation))
    let own = ownIDs(ofTags: others, account)
    let left = tags.filter { ownIDs(ofTags: [$0], account).isDisjoint(with: own) }
    if one == .markRead { return left.contains("unread") ? .none : .all }
    return left.isEmpty ? .all : left.count == tags.count ? .none : .some(left)
  }

  private mutating func tagsSaid(by operation: RowHandle) -> Set<String> {
    let (added, removed) = tagsWanted(by: operation)
    return added.union(removed)
  }
}
