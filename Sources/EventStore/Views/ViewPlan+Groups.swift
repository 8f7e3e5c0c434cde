import LMDB

extension ViewPlan {
  /// Appends the words of the groups that a row of the view is in, ascending and each once: one
  /// that is 0 where the view has none.
  package func appendGroups(of row: RowView, to groups: inout [UInt64]) {
    guard let grouping else { return groups.append(0) }
    var seed = seed
    if let scope { seed = self.seed(within: row.has(scope.index) ? row.slot(scope.index) : nil) }
    switch grouping.kind {
    case .texts: appendGroups(ofTextsIn: row, grouping.index, seed, to: &groups)
    case _ where !row.has(grouping.index): groups.append(noValue(seed))
    case .text: groups.append(group(of: row.variable(grouping.index), seed))
    default: groups.append(group(of: row.slot(grouping.index), seed))
    }
  }

  private func appendGroups(
    ofTextsIn row: RowView, _ index: Int, _ seed: UInt64, to groups: inout [UInt64]
  ) {
    guard row.has(index) else { return }
    let start = groups.count
    var texts = TextList(row.variable(index))
    while let text = texts.next() { Self.insert(group(of: text, seed), into: &groups, from: start) }
  }

  /// Rows have few texts, so each is put into its place among the sorted ones before.
  private static func insert(_ group: UInt64, into groups: inout [UInt64], from start: Int) {
    var place = groups.count
    groups.append(group)
    while place > start, groups[place - 1] > group {
      groups.swapAt(place - 1, place)
      place -= 1
    }
    // Two texts with the same word, which hardly are, have one group.
    if place > start, groups[place - 1] == group { groups.remove(at: place) }
  }

  /// Whether two forms of a row are in the same groups, as far as their fields tell.
  func hasSameGroups(_ before: RowView, _ after: RowView) -> Bool {
    guard grouping?.hasSame(before, after) ?? true else { return false }
    return scope?.hasSame(before, after) ?? true
  }

  /// The secret for the groups of one value of the field that divides them.
  func seed(within slot: UInt64?) -> UInt64 {
    var mixer = Mixer(seed: seed &+ 3)
    if let slot { mixer.add(slot) }
    return mixer.value
  }

  /// The word of the group for rows without a value.
  func noValue(_ seed: UInt64) -> UInt64 { Mixer(seed: seed).value }

  /// The word of the group for a text.
  func group(of text: RawSpan, _ seed: UInt64) -> UInt64 {
    Mixer.hash(text, seed: seed &+ 1)
  }

  /// The word of the group for a value of fixed size.
  func group(of slot: UInt64, _ seed: UInt64) -> UInt64 {
    var mixer = Mixer(seed: seed &+ 2)
    mixer.add(slot)
    return mixer.value
  }
}
