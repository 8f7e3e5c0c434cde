import EventStore

/// Operations that were acknowledged before a later one on the same subject of the same object. The
/// server did them first, so they have no effect once the later one is over.
extension ReducerState {
  /// The extent to which another operation concerns the same subject.
  private enum Overlap {
    case none
    case some(Set<String>)
    case all
  }

  /// Returns whether an operation follows an acknowledged one on the same subject.
  mutating func isBehindAcknowledged(_ pending: Pending) -> Bool {
    acknowledged(before: pending).contains {
      if case .none = overlap(of: $0, with: pending) { false } else { true }
    }
  }

  /// Ends operations acknowledged before one that is over, as far as they concern the same subject.
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
    guard self[pending.entity.row, InboxFields.overlay]?.operation != pending.operation.row
    else { return [] }
    return operations(of: pending.entity.row).prefix { $0 != pending.operation }
      .filter { self[$0, Operations.state] == .acknowledged }
  }

  /// `.some` holds the tags that the later operation leaves alone.
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
