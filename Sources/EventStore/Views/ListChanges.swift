import LMDB

/// The effects of row changes on a view's lists, in buffers that are reused.
package struct ListChanges: Sendable {
  /// The range of a key in the buffer; empty if there is no key.
  package typealias Place = Range<Int>

  /// The effect of one row's change on one list.
  package struct Change: Hashable, Sendable {
    /// The word of the list's group; 0 if the view has no groups.
    package let group: UInt64
    /// The place of the row's old key; empty if the row wasn't in the list.
    package let old: Place
    /// The place of the row's new key; empty if the row isn't in the list.
    ///
    /// The same as the old place if the row hasn't moved.
    package let new: Place

    /// Whether the row stays in the list at the same place.
    package var isUpdate: Bool { old == new }
  }

  /// The changes.
  package private(set) var changes: [Change] = []
  /// The keys, in the layout of ``SortKey``.
  package private(set) var keys = KeyBuffer()
  /// The groups of the current row, before and then after.
  private var groups: [UInt64] = []

  /// No changes.
  package init() {}

  /// Removes the changes, and keeps the memory.
  package mutating func removeAll() {
    changes.removeAll(keepingCapacity: true)
    keys.remove()
  }
}

extension ListChanges {
  /// Adds the effects of one row's change on a view's lists: for each group a key to remove, a key
  /// to insert, both, or the same key if only other values changed.
  ///
  /// An absent row or an alias counts as none. `touched` has the fields whose values may differ, as
  /// bit n for the field numbered n + 1; if they don't concern the view, most checks are skipped.
  ///
  /// - Complexity: O(1) if the row belongs to the view neither before nor after; otherwise
  ///   O(groups). Allocates only to exceed the largest size so far.
  package mutating func add(
    before: RowView?, after: RowView?, touched: UInt64 = .max, in plan: ViewPlan
  ) {
    guard let before else {
      if let after, plan.matches(after) { addOne(after, isNew: true, plan) }
      return
    }
    guard let after else {
      if plan.matches(before) { addOne(before, isNew: false, plan) }
      return
    }
    addBoth(before, after, touched, plan)
  }

  private mutating func addBoth(
    _ before: RowView, _ after: RowView, _ touched: UInt64, _ plan: ViewPlan
  ) {
    let wasMember = plan.matches(before)
    let isSettled = touched & plan.memberFields == 0 && before.flags == after.flags
    let isMember = isSettled ? wasMember : plan.matches(after)
    switch (wasMember, isMember) {
    case (false, false): return
    case (false, true): addOne(after, isNew: true, plan)
    case (true, false): addOne(before, isNew: false, plan)
    case (true, true): addMember(before, after, touched, plan)
    }
  }

  /// Adds the effects of a row that is in the view only before, or only after.
  private mutating func addOne(_ row: RowView, isNew: Bool, _ plan: ViewPlan) {
    groups.removeAll(keepingCapacity: true)
    plan.appendGroups(of: row, to: &groups)
    var key = 0..<0
    for group in groups {
      appendKey(of: row, group, &key, plan)
      changes.append(Change(group: group, old: isNew ? 0..<0 : key, new: isNew ? key : 0..<0))
    }
  }

  /// Adds the effects of a row that is in the view both before and after.
  private mutating func addMember(
    _ before: RowView, _ after: RowView, _ touched: UInt64, _ plan: ViewPlan
  ) {
    let isPlaced =
      touched & plan.keyFields == 0 ? before.id.equals(after.id) : plan.hasSameKey(before, after)
    groups.removeAll(keepingCapacity: true)
    plan.appendGroups(of: before, to: &groups)
    let middle = groups.count
    let isGrouped = touched & plan.groupFields != 0
    if isGrouped, !plan.hasSameGroups(before, after) {
      plan.appendGroups(of: after, to: &groups)
      addMerged(middle, before, after, isPlaced, plan)
    } else {
      addStays(before, after, isPlaced, plan)
    }
  }

  /// Adds the effects of a row that stays in its groups.
  private mutating func addStays(
    _ before: RowView, _ after: RowView, _ isPlaced: Bool, _ plan: ViewPlan
  ) {
    var (old, new) = (0..<0, 0..<0)
    for group in groups {
      appendKey(of: before, group, &old, plan)
      if !isPlaced { appendKey(of: after, group, &new, plan) }
      changes.append(Change(group: group, old: old, new: isPlaced ? old : new))
    }
  }

  /// Merges the groups before and after, both of which ascend.
  private mutating func addMerged(
    _ middle: Int, _ before: RowView, _ after: RowView, _ isPlaced: Bool, _ plan: ViewPlan
  ) {
    var (oldKey, newKey) = (0..<0, 0..<0)
    var (old, new) = (0, middle)
    while old < middle || new < groups.count {
      let isOld = old < middle && (new == groups.count || groups[old] <= groups[new])
      let isNew = new < groups.count && (old == middle || groups[new] <= groups[old])
      let group = groups[isOld ? old : new]
      let isSame = isOld && isNew && isPlaced
      if isOld { appendKey(of: before, group, &oldKey, plan) }
      if isNew && !isSame { appendKey(of: after, group, &newKey, plan) }
      let place = isSame ? oldKey : newKey
      changes.append(
        Change(group: group, old: isOld ? oldKey : 0..<0, new: isNew ? place : 0..<0))
      old += isOld ? 1 : 0
      new += isNew ? 1 : 0
    }
  }

  /// Appends a row's key; `key` is the place of its key in another group, if any.
  private mutating func appendKey(
    of row: RowView, _ group: UInt64, _ key: inout ListChanges.Place, _ plan: ViewPlan
  ) {
    key =
      key.isEmpty
      ? plan.appendKey(of: row, in: group, to: &keys) : keys.appendCopy(of: key, first: group)
  }
}
