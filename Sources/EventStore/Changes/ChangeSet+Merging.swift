extension ChangeSet {
  /// Returns the change set from this one's old list to the new list of the change set that
  /// follows.
  ///
  /// The result depends only on those two lists, not on the list between them. A row that left and
  /// returned has moved, changed, or neither; a change that was undone disappears. The result may
  /// be empty.
  ///
  /// The two may be separated by positions at which the list did not change. Traps if `next` has
  /// edits and its old count differs from this change set's new count.
  ///
  /// - Complexity: O(k log k) for k edits in both.
  public func merging(_ next: ChangeSet) -> ChangeSet {
    switch (content, next.content) {
    case (_, .reset(let rows)):
      return ChangeSet(from: from, to: next.to, reset: rows, total: next.newTotal)
    case (.reset(let rows), .edits):
      return ChangeSet(
        from: from, to: next.to, reset: next.applying(to: rows), total: next.newTotal)
    case (.edits, .edits):
      precondition(newCount == next.oldCount, "the change sets do not follow each other")
      return ChangeSet(
        from: from, to: next.to, oldCount: oldCount, newCount: next.newCount, oldTotal: oldTotal,
        newTotal: next.newTotal, edits: Junction(self, next).edits(oldCount, next.newCount))
    }
  }
}

extension Passage {
  /// The name of the removed row.
  fileprivate var oldName: RowName { RowName(trace?.id ?? "") }

  /// The name of the inserted row.
  fileprivate var newName: RowName { RowName(row?.id ?? "") }
}

/// The passages of the rows through two change sets, joined.
private struct Junction {
  private let before: Transition.Places
  private let after: Transition.Places
  private var passages: [Passage] = []

  init(_ first: ChangeSet, _ second: ChangeSet) {
    before = Transition.Places(first.transition)
    after = Transition.Places(second.transition)
    let (goneFirst, presentFirst) = first.passages(before)
    let (goneSecond, presentSecond) = second.passages(after)
    let new = presentSecond.filter { $0.old < 0 }
    let kept = presentSecond.filter { $0.old >= 0 }
    join(presentFirst, (goneSecond + kept).sorted { $0.old < $1.old })
    rejoin(goneFirst, new)
  }

  /// Joins the passages that meet in the middle list, and extends those that meet none.
  private mutating func join(_ first: [Passage], _ second: [Passage]) {
    var (first, second) = (first[...], second[...])
    while let left = first.first, let right = second.first {
      if left.new <= right.old { first.removeFirst() }
      if right.old <= left.new { second.removeFirst() }
      if left.new == right.old {
        append(left.followed(by: right))
      } else {
        append(left.new < right.old ? lengthened(left) : preceded(right))
      }
    }
    for left in first { append(lengthened(left)) }
    for right in second { append(preceded(right)) }
  }

  /// Joins the passages of rows that left the list and returned after the middle list.
  private mutating func rejoin(_ gone: [Passage], _ new: [Passage]) {
    guard !gone.isEmpty, !new.isEmpty else { return passages += gone + new }
    var returning: [RowName: Passage] = [:]
    for passage in new { returning[passage.newName] = passage }
    for passage in gone {
      let next = returning.removeValue(forKey: passage.oldName)
      passages.append(next.flatMap(passage.returning) ?? passage)
    }
    for passage in new where returning[passage.newName] != nil { passages.append(passage) }
  }

  private func lengthened(_ passage: Passage) -> Passage {
    passage.between(old: passage.old, new: after.new(ofOld: passage.new))
  }

  private func preceded(_ passage: Passage) -> Passage {
    passage.between(old: before.old(ofNew: passage.old), new: passage.new)
  }

  /// Appends a passage, unless the row exists only in the middle list.
  private mutating func append(_ passage: Passage) {
    if passage.old >= 0 || passage.new >= 0 { passages.append(passage) }
  }

  func edits(_ oldCount: Int, _ newCount: Int) -> ChangeSet.Edits {
    let touches = passages.enumerated().map {
      Transition.Touch(.touched($0.offset), old: $0.element.old, new: $0.element.new)
    }
    let transition = Transition(
      oldCount: oldCount, newCount: newCount,
      departures: touches.filter { $0.old >= 0 }.sorted { $0.old < $1.old },
      arrivals: touches.filter { $0.new >= 0 }.sorted { $0.new < $1.new })
    var edits = ChangeSet.Edits()
    for touch in transition.departures where touch.new < 0 {
      guard let trace = passage(touch).trace else { continue }
      edits.removals.append(ChangeSet.Removal(index: touch.old, trace: trace))
    }
    for touch in transition.arrivals {
      let passage = passage(touch)
      guard let row = passage.row else { continue }
      if touch.old < 0 {
        edits.insertions.append(ChangeSet.Insertion(index: touch.new, row: row))
      } else if !passage.difference.isEmpty {
        edits.updates.append(
          ChangeSet.Update(index: touch.new, row: row, difference: passage.difference))
      }
    }
    edits.moves = transition.moves()
    return edits
  }

  private func passage(_ touch: Transition.Touch) -> Passage {
    guard case .touched(let index) = touch.subject else { return Passage() }
    return passages[index]
  }
}
