import LMDB

extension ViewPlan {
  /// Appends the words of a row's groups in the view, in ascending order and without duplicates; a
  /// single 0 if the view has no groups.
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

  /// Rows have few texts, so this is an insertion sort.
  private static func insert(_ group: UInt64, into groups: inout [UInt64], from start: Int) {
    var place = groups.count
    groups.append(group)
    while place > start, groups[place - 1] > group {
      groups.swapAt(place - 1, place)
      place -= 1
    }
    // Two texts with the same word, which is very rare, share a group.
    if place > start, groups[place - 1] == group { groups.remove(at: place) }
  }

  /// Whether two versions of a row are in the same groups, as far as their fields reveal.
  func hasSameGroups(_ before: RowView, _ after: RowView) -> Bool {
    guard grouping?.hasSame(before, after) ?? true else { return false }
    return scope?.hasSame(before, after) ?? true
  }

  /// Returns the secret seed for the groups under one value of the field that divides them.
  func seed(within slot: UInt64?) -> UInt64 {
    var mixer = Mixer(seed: seed &+ 3)
    if let slot { mixer.add(slot) }
    return mixer.value
  }

  /// Returns the word of the group of rows without a value.
  func noValue(_ seed: UInt64) -> UInt64 { Mixer(seed: seed).value }

  /// Returns the word of a text's group.
  func group(of text: RawSpan, _ seed: UInt64) -> UInt64 {
    Mixer.hash(text, seed: seed &+ 1)
  }

  /// Returns the word of a fixed-size value's group.
  func group(of slot: UInt64, _ seed: UInt64) -> UInt64 {
    var mixer = Mixer(seed: seed &+ 2)
    mixer.add(slot)
    return mixer.value
  }
}
