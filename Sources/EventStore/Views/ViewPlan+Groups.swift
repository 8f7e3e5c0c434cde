import LMDB

extension ViewPlan {
  /// Appends the words of the groups that a row of the view is in, ascending and each once: one
  /// that is 0 where the view has none.
  package func appendGroups(of row: RowView, to groups: inout [UInt64]) {
    guard let grouping else { return groups.append(0) }
    switch grouping.kind {
    case .texts: appendGroups(ofTextsIn: row, grouping.index, to: &groups)
    case _ where !row.has(grouping.index): groups.append(noValue)
    case .text: groups.append(group(of: row.variable(grouping.index)))
    default: groups.append(group(of: row.slot(grouping.index)))
    }
  }

  private func appendGroups(ofTextsIn row: RowView, _ index: Int, to groups: inout [UInt64]) {
    guard row.has(index) else { return }
    let start = groups.count
    var texts = TextList(row.variable(index))
    while let text = texts.next() { Self.insert(group(of: text), into: &groups, from: start) }
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

  /// The word of the group for a value, or for a text of several, or for rows without a value.
  ///
  /// - Precondition: The view is grouped by a field that can hold the value.
  package func group<Value: FieldValue>(of value: Value?) -> UInt64 {
    let kind = grouping?.kind == .texts ? .text : grouping?.kind
    precondition(kind == Value.fieldKind, "view \(definition.name) has no groups by such values")
    guard let value else { return noValue }
    return value.withStored { kind == .text ? group(of: $0.bytes) : group(of: $0.word) }
  }

  private var noValue: UInt64 { Mixer(seed: seed).value }

  private func group(of text: RawSpan) -> UInt64 { Mixer.hash(text, seed: seed &+ 1) }

  private func group(of slot: UInt64) -> UInt64 {
    var mixer = Mixer(seed: seed &+ 2)
    mixer.add(slot)
    return mixer.value
  }
}
