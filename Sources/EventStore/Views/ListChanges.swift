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
  /// The bytes of the keys, as they are laid out for a ``SortKey``.
  package private(set) var bytes: [UInt8] = []
  private var groups: [UInt64] = []

  /// No changes.
  package init() {}

  /// Forgets the changes and keeps the memory.
  package mutating func removeAll() {
    changes.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// The bytes of a key.
  @_lifetime(borrow self)
  package func key(at place: Place) -> RawSpan { bytes.raw.extracting(place) }
}

extension ListChanges {
  /// Gathers what a change of one row does to a view's lists: in each group a key that goes, a key
  /// that comes, both, or the same one where the row merely has other values.
  ///
  /// A row that is absent or an alias counts as none. `touched` are the fields whose values may
  /// differ, bit n for the field numbered n + 1; where these don't concern the view, little is asked.
  ///
  /// - Complexity: O(1) where the row belonged to the view neither before nor now; otherwise
  ///   O(groups). Allocates only when there was never so much to keep.
  package mutating func add(
    before: RowView?, after: RowView?, touched: UInt64 = .max, in plan: ViewPlan
  ) {
    guard let before else { return addAppearance(after, in: plan) }
    guard let after else { return addDisappearance(before, in: plan) }
    let wasMember = plan.matches(before)
    let isMember =
      touched & plan.memberFields == 0 && before.isPresent && after.isPresent
      ? wasMember : plan.matches(after)
    switch (wasMember, isMember) {
    case (false, false): return
    case (false, true): addAppearance(ofMember: after, in: plan)
    case (true, false): addDisappearance(ofMember: before, in: plan)
    case (true, true): addChange(before, after, touched, in: plan)
    }
  }

  private mutating func addAppearance(_ row: RowView?, in plan: ViewPlan) {
    guard let row, plan.matches(row) else { return }
    addAppearance(ofMember: row, in: plan)
  }

  private mutating func addDisappearance(_ row: RowView, in plan: ViewPlan) {
    guard plan.matches(row) else { return }
    addDisappearance(ofMember: row, in: plan)
  }

  private mutating func addAppearance(ofMember row: RowView, in plan: ViewPlan) {
    appendGroups(of: row, in: plan)
    for group in groups {
      changes.append(Change(group: group, old: 0..<0, new: appendKey(of: row, group, plan)))
    }
  }

  private mutating func addDisappearance(ofMember row: RowView, in plan: ViewPlan) {
    appendGroups(of: row, in: plan)
    for group in groups {
      changes.append(Change(group: group, old: appendKey(of: row, group, plan), new: 0..<0))
    }
  }

  private mutating func addChange(
    _ before: RowView, _ after: RowView, _ touched: UInt64, in plan: ViewPlan
  ) {
    let isPlaced = touched & plan.keyFields == 0 && before.id.equals(after.id)
    appendGroups(of: before, in: plan)
    guard touched & plan.groupFields != 0 else {
      for group in groups { addStay(in: group, before, after, isPlaced, plan) }
      return
    }
    let middle = groups.count
    plan.appendGroups(of: after, to: &groups)
    addMerged(middle, before, after, isPlaced, plan)
  }

  /// Goes through the groups of before and now together; both ascend.
  private mutating func addMerged(
    _ middle: Int, _ before: RowView, _ after: RowView, _ isPlaced: Bool, _ plan: ViewPlan
  ) {
    var (old, new) = (0, middle)
    while old < middle || new < groups.count {
      let isOld = old < middle && (new == groups.count || groups[old] <= groups[new])
      let isNew = new < groups.count && (old == middle || groups[new] <= groups[old])
      let group = groups[isOld ? old : new]
      if isOld && isNew {
        addStay(in: group, before, after, isPlaced, plan)
      } else if isOld {
        changes.append(Change(group: group, old: appendKey(of: before, group, plan), new: 0..<0))
      } else {
        changes.append(Change(group: group, old: 0..<0, new: appendKey(of: after, group, plan)))
      }
      old += isOld ? 1 : 0
      new += isNew ? 1 : 0
    }
  }

  private mutating func addStay(
    in group: UInt64, _ before: RowView, _ after: RowView, _ isPlaced: Bool, _ plan: ViewPlan
  ) {
    let old = appendKey(of: before, group, plan)
    guard !isPlaced else { return changes.append(Change(group: group, old: old, new: old)) }
    let new = appendKey(of: after, group, plan)
    guard key(at: old).equals(key(at: new)) else {
      return changes.append(Change(group: group, old: old, new: new))
    }
    bytes.removeLast(new.count)
    changes.append(Change(group: group, old: old, new: old))
  }

  private mutating func appendGroups(of row: RowView, in plan: ViewPlan) {
    groups.removeAll(keepingCapacity: true)
    plan.appendGroups(of: row, to: &groups)
  }

  private mutating func appendKey(
    of row: RowView, _ group: UInt64, _ plan: ViewPlan
  ) -> Place {
    let start = bytes.count
    plan.appendKey(of: row, in: group, to: &bytes)
    return start..<bytes.count
  }
}
