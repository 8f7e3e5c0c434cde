import LMDB

extension ViewPlan {
  /// Returns the words of a row's key in a group: ``ViewPlan/wordCount`` of them, and then zeros.
  ///
  /// The first words that differ decide which of two rows comes first; if none do, the exact values
  /// decide.
  @inline(__always)
  package func words(of row: RowView, in group: UInt64) -> SortWords { head(of: row, in: group).0 }

  /// Returns the words, and the number of sort fields that they decide.
  @inline(__always)
  private func head(of row: RowView, in group: UInt64) -> (SortWords, decided: Int) {
    var words = SortWords()
    words.first = group
    var place = grouping == nil ? 0 : 1
    if order.isEmpty { words[place] = Self.idWord(of: row) }
    for index in 0..<wordedCount {
      let field = order[index]
      let word = field.word(of: row)
      words[place] = word ^ field.flip
      guard field.isConclusive(word) else { return (words, index) }
      place += 1
    }
    return (words, wordedCount)
  }

  private static func idWord(of row: RowView) -> UInt64 {
    let id = row.id
    if id.byteCount >= 8 { return id.integer(UInt64.self, at: 0).byteSwapped }
    var word: UInt64 = 0
    for offset in 0..<id.byteCount {
      word |= UInt64(id.byte(at: offset)) << UInt64(56 - 8 * offset)
    }
    return word
  }

  /// Returns the whole key of a row in a group.
  package func key(of row: RowView, in group: UInt64) -> SortKey {
    var keys = KeyBuffer()
    let place = appendKey(of: row, in: group, to: &keys)
    return SortKey(bytes: keys.bytes(at: place).array)
  }

  /// Appends a row's key in a group, and returns the key's place.
  func appendKey(
    of row: RowView, in group: UInt64, to keys: inout KeyBuffer
  ) -> Range<Int> {
    let (words, decided) = head(of: row, in: group)
    let start = keys.count
    keys.append(words, wordCount)
    for index in decided..<order.count { order[index].append(of: row, to: &keys) }
    keys.append(row.id)
    return start..<keys.count
  }

  /// Whether two rows have the same keys, byte for byte.
  func hasSameKey(_ row: RowView, _ other: RowView) -> Bool {
    for field in order where !field.hasSame(row, other) { return false }
    return row.id.equals(other.id)
  }
}

// Comparisons: a result is negative if the first operand comes before the second, 0 if they have
// the same place, and positive if it comes after.
extension ViewPlan {
  /// Compares two keys.
  ///
  /// - Complexity: O(1) if the words differ; otherwise O(n), without allocation unless texts that
  ///   aren't plain have to be compared.
  package func compare(_ left: RawSpan, _ right: RawSpan) -> Int {
    let (words, others) = (words(in: left), words(in: right))
    let order = words.compare(with: others)
    return order == 0 ? compareTails(left, right, decided(by: words)) : order
  }

  /// Whether one key comes before another.
  package func precedes(_ left: SortKey, _ right: SortKey) -> Bool {
    compare(left.bytes.raw, right.bytes.raw) < 0
  }

  /// Compares a row in a group with a key.
  package func compare(_ row: RowView, in group: UInt64, with key: RawSpan) -> Int {
    let (words, decided) = head(of: row, in: group)
    let order = words.compare(with: self.words(in: key))
    return order == 0 ? compareTail(row, key, decided) : order
  }

  /// Compares two rows within a group.
  package func compare(_ left: RowView, _ right: RowView) -> Int {
    for field in order {
      let order =
        field.kind == .text
        ? field.compare(field.text(of: left), field.text(of: right))
        : field.compare(field.fixed(of: left), field.fixed(of: right))
      if order != 0 { return order }
    }
    return left.id.compareBytes(with: right.id)
  }

  /// Returns the words at the beginning of a key.
  @inline(__always)
  package func words(in key: RawSpan) -> SortWords {
    var words = SortWords()
    for index in 0..<wordCount { words[index] = key.integer(UInt64.self, at: 8 * index) }
    return words
  }

  /// Returns the number of sort fields that the words decide if they are equal.
  private func decided(by words: SortWords) -> Int {
    let place = grouping == nil ? 0 : 1
    for index in 0..<wordedCount {
      let field = order[index]
      guard field.isConclusive(words[place + index] ^ field.flip) else { return index }
    }
    return wordedCount
  }

  private func compareTails(_ left: RawSpan, _ right: RawSpan, _ decided: Int) -> Int {
    var (mine, theirs) = (
      KeyTail(of: left, after: wordCount), KeyTail(of: right, after: wordCount)
    )
    for field in order[decided...] {
      let order =
        field.kind == .text
        ? field.compare(mine.nextText(), theirs.nextText())
        : field.compare(mine.nextFixed(), theirs.nextFixed())
      if order != 0 { return order }
    }
    return mine.id.compareBytes(with: theirs.id)
  }

  private func compareTail(_ row: RowView, _ key: RawSpan, _ decided: Int) -> Int {
    var theirs = KeyTail(of: key, after: wordCount)
    for field in order[decided...] {
      let order =
        field.kind == .text
        ? field.compare(field.text(of: row), theirs.nextText())
        : field.compare(field.fixed(of: row), theirs.nextFixed())
      if order != 0 { return order }
    }
    return row.id.compareBytes(with: theirs.id)
  }
}
