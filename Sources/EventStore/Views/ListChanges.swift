import LMDB

/// What changes of rows do to the lists of a view: gathered in memory that is kept for the next.
package struct ListChanges: Sendable {
  /// Where a key lies among the bytes; empty where there is none.
  package typealias Place = Range<Int>

  /// What one row's change does to one list.
  package struct Change: Hashable, Sendable {
    /// The word of the list's group; 0 where the view has none.
    package let group: UInt64
    /// Where the row's key before lies; empty where it wasn't in the list.
    package let old: Place
    /// Where the row's key now lies; empty where it isn't in the list.
    ///
    /// It is the same place as the old one's where the row stays where it was.
    package let new: Place

    /// Whether the row is in the list as before, at the same place.
    package var isUpdate: Bool { old == new }
  }

  /// The changes.
  package private(set) var changes: [Change] = []
  /// The keys, laid out as in a ``SortKey``.
  package private(set) var keys = KeyBuffer()
  /// The groups of the row at hand, before and then after.
  private var groups: [UInt64] = []

  /// No changes.
  package init() {}

  /// Forgets the changes and keeps the memory.
  package mutating func removeAll() {
    changes.removeAll(keepingCapacity: true)
    keys.remove()
  }
}

extension ListChanges {
  /// Gathers what a change of one row does to a view's lists: in each group a key that goes, a key
  /// that comes, both, or the same one where the row merely has other values.
  ///
  /// A row that is absent or an alias counts as none. `touched` are the fields whose values may
  /// differ, bit n for the field numbered n + 1; where these don't concern the view, little is
  /// asked.
  ///
  /// - Complexity: O(1) where the row belonged to the view neither before nor now; otherwise
  ///   O(groups). Allocates only when there was never so much to keep.
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

  /// Adds what becomes of a row that is in the view only before, or only now.
  private mutating func addOne(_ row: RowView, isNew: Bool, _ plan: ViewPlan) {
    groups.removeAll(keepingCapacity: true)
    plan.appendGroups(of: row, to: &groups)
    var key = 0..<0
    for group in groups {
      appendKey(of: row, group, &key, plan)
      changes.append(Change(group: group, old: isNew ? 0..<0 : key, new: isNew ? key : 0..<0))
    }
  }

  /// Adds what becomes of a row that is in the view before and now.
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

  /// Adds what becomes of a row that stays in its groups.
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

  /// Goes through the groups of before and now together; both ascend.
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

  /// Appends a row's key; `key` is where its key in another group lies, if there is one.
  private mutating func appendKey(
    of row: RowView, _ group: UInt64, _ key: inout ListChanges.Place, _ plan: ViewPlan
  ) {
    key =
      key.isEmpty
      ? plan.appendKey(of: row, in: group, to: &keys) : keys.appendCopy(of: key, first: group)
  }
}
