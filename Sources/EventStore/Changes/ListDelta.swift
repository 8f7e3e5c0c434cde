/// The net changes to one list over a stretch of the journal: the source of the change sets of all
/// its windows.
///
/// The old ranks are derived from the final list: a key's old rank is its current rank, less the
/// rows that entered before it, plus the rows that left before it. Live delivery and catching up
/// therefore use the same code.
package struct ListDelta<Key> {
  /// One row's part in the changes.
  package struct Entry {
    /// The row.
    package let row: RowID
    /// The row's key at the beginning; `nil` if it was not in the list.
    package let old: Key?
    /// The row's key at the end; `nil` if it is not in the list.
    package let new: Key?
    /// The visible fields that changed on the way; some may have their original values again.
    package let difference: RowDifference

    /// Creates a row's part in the changes.
    package init(row: RowID, old: Key?, new: Key?, difference: RowDifference = RowDifference()) {
      self.row = row
      self.old = old
      self.new = new
      self.difference = difference
    }
  }

  /// A row's place at the beginning or at the end.
  private struct Stop {
    let entry: Int
    let isNew: Bool
    /// The index of the row's other stop, or `nowhere`.
    var other = Transition.nowhere
    var rank = 0
  }

  private let entries: [Entry]
  /// The number of rows by which the list grew beyond what the entries account for.
  private let surplus: Int
  /// All stops, in key order.
  private var stops: [Stop] = []
  /// The number of leading stops whose rank is known.
  private var known = 0
  /// The number of those stops that are new.
  private var knownNew = 0

  /// Creates the net changes of a stretch, in which each row occurs once.
  ///
  /// Rows may be omitted if they are after all requested windows at both the beginning and the end;
  /// `surplus` is the number of rows by which they made the list longer.
  ///
  /// - Complexity: O(k log k) for k rows.
  package init<Source: ListSource & ~Copyable & ~Escapable>(
    _ entries: [Entry], surplus: Int = 0, in source: borrowing Source
  ) where Source.Key == Key {
    self.entries = entries
    self.surplus = surplus
    stops.reserveCapacity(2 * entries.count)
    for index in entries.indices {
      if entries[index].old != nil { stops.append(Stop(entry: index, isNew: false)) }
      if entries[index].new != nil { stops.append(Stop(entry: index, isNew: true)) }
    }
    if stops.count > 1 { sort(source) }
    pair()
  }

  /// Sorts the stops by key.
  private mutating func sort<Source: ListSource & ~Copyable & ~Escapable>(
    _ source: borrowing Source
  ) where Source.Key == Key {
    if stops.count == 2 {
      // Most often, a single row was touched.
      let (first, second) = (Self.key(stops[0], entries), Self.key(stops[1], entries))
      if source.comesBefore(second, first) { stops.swapAt(0, 1) }
      return
    }
    let (stops, entries) = (stops, entries)
    let order = WordOrder(count: stops.count) {
      source.words(of: Self.key(stops[$0], entries))
    } _: { left, right in
      source.comesBefore(Self.key(stops[left], entries), Self.key(stops[right], entries))
    }
    self.stops = order.sorted(stops)
  }

  /// Links the two stops of each row.
  private mutating func pair() {
    guard entries.contains(where: { $0.old != nil && $0.new != nil }) else { return }
    // Most often, a single row was touched, and no lookup is needed.
    guard entries.count > 1 else {
      (stops[0].other, stops[1].other) = (1, 0)
      return
    }
    var first = Array(repeating: Transition.nowhere, count: entries.count)
    for index in stops.indices {
      let other = first[stops[index].entry]
      first[stops[index].entry] = index
      guard other != Transition.nowhere else { continue }
      stops[index].other = other
      stops[other].other = index
    }
  }

  @inline(__always)
  private static func key(_ stop: Stop, _ entries: [Entry]) -> Key {
    guard let key = stop.isNew ? entries[stop.entry].new : entries[stop.entry].old else {
      preconditionFailure("a stop has a key")
    }
    return key
  }
}

extension ListDelta {
  /// Returns the change set of a window, or `nil` if the window did not change.
  ///
  /// Rows that stayed after the window cost nothing.
  ///
  /// - Complexity: O(k log k) and 2 k ranks for the k rows before the window's end, plus O(d log d)
  ///   for d rows displaced across its edges.
  package mutating func changeSet<Source: ListSource & ~Copyable & ~Escapable>(
    in window: ListWindow, from: Position, to: Position, reading source: inout Source
  ) throws(Source.Failure) -> ChangeSet? where Source.Key == Key {
    // Rows after the window at both ends are also after all rows displaced from it.
    try rankStops(below: window.upperBound, in: &source)
    let newTotal = try source.count()
    let oldTotal = newTotal - growth
    let transition = transition(newTotal).seen(through: window)
    let changes = ChangeSet(
      from: from, to: to, oldCount: transition.oldCount, newCount: transition.newCount,
      oldTotal: window.hasTotal ? oldTotal : nil, newTotal: window.hasTotal ? newTotal : nil,
      edits: try edits(of: transition, reading: &source))
    return changes.isEmpty ? nil : changes
  }

  /// The ranks at which the list may differ: a window that contains none of them shows no change.
  package struct Reach {
    /// The ranks, at the beginning or at the end.
    package let ranks: Range<Int>
    /// Whether the number of rows changed.
    let isCountChanged: Bool
  }

  /// Determines where the list may differ, up to a limit.
  ///
  /// - Complexity: That of a change set of the window that ends at the limit.
  package mutating func reach<Source: ListSource & ~Copyable & ~Escapable>(
    below limit: Int, in source: inout Source
  ) throws(Source.Failure) -> Reach where Source.Key == Key {
    let (end, isEndless) = limit.addingReportingOverflow(entries.count)
    try rankStops(below: isEndless ? .max : end, in: &source)
    let isBalanced = growth == 0
    var (first, last) = (Int.max, -1)
    for stop in stops.prefix(known) {
      (first, last) = (min(first, stop.rank), max(last, stop.rank))
    }
    let isClosed = isBalanced && surplus == 0 && known == stops.count
    guard last >= 0 else { return Reach(ranks: 0..<0, isCountChanged: !isBalanced) }
    return Reach(ranks: first..<(isClosed ? last + 1 : .max), isCountChanged: !isBalanced)
  }

  /// The number of rows by which the list grew.
  private var growth: Int { surplus + 2 * stops.count(where: \.isNew) - stops.count }

  /// Determines the ranks of at least all stops below a limit, in either the old or the new list.
  private mutating func rankStops<Source: ListSource & ~Copyable & ~Escapable>(
    below limit: Int, in source: inout Source
  ) throws(Source.Failure) where Source.Key == Key {
    while known < stops.count {
      let key = Self.key(stops[known], entries)
      let new = try source.rank(of: key)
      let old = new + known - 2 * knownNew
      guard min(old, new) < limit else { return }
      var next = known
      repeat {
        stops[next].rank = stops[next].isNew ? new : old
        if stops[next].isNew { knownNew += 1 }
        next += 1
      } while next < stops.count && !source.comesBefore(key, Self.key(stops[next], entries))
      known = next
    }
  }

  /// Returns the changes to the list, without the rows whose rank is unknown.
  ///
  /// These rows are after the window in both lists, where they make no difference.
  private func transition(_ total: Int) -> Transition {
    var (departures, arrivals): ([Transition.Touch], [Transition.Touch]) = ([], [])
    departures.reserveCapacity(known - knownNew)
    arrivals.reserveCapacity(knownNew)
    for stop in stops.prefix(known) {
      let other = stop.other >= 0 && stop.other < known ? stops[stop.other].rank : -1
      if stop.isNew {
        arrivals.append(Transition.Touch(.touched(stop.entry), old: other, new: stop.rank))
      } else {
        departures.append(Transition.Touch(.touched(stop.entry), old: stop.rank, new: other))
      }
    }
    let untouched = total - stops.count(where: \.isNew)
    return Transition(
      oldCount: untouched + departures.count, newCount: untouched + arrivals.count,
      departures: departures, arrivals: arrivals)
  }

  private func edits<Source: ListSource & ~Copyable & ~Escapable>(
    of transition: Transition, reading source: inout Source
  ) throws(Source.Failure) -> ChangeSet.Edits where Source.Key == Key {
    var edits = ChangeSet.Edits()
    for touch in transition.departures where touch.new < 0 {
      edits.removals.append(
        ChangeSet.Removal(index: touch.old, trace: try trace(of: touch, reading: &source)))
    }
    for touch in transition.arrivals {
      if touch.old < 0 {
        edits.insertions.append(
          ChangeSet.Insertion(index: touch.new, row: try row(of: touch, reading: &source)))
      } else if case .touched(let entry) = touch.subject, !entries[entry].difference.isEmpty {
        let row = try row(of: touch, reading: &source)
        let difference = entries[entry].difference.left(in: row)
        guard !difference.isEmpty else { continue }
        edits.updates.append(
          ChangeSet.Update(index: touch.new, row: row, difference: difference))
      }
    }
    edits.moves = transition.moves()
    return edits
  }

  private func trace<Source: ListSource & ~Copyable & ~Escapable>(
    of touch: Transition.Touch, reading source: inout Source
  ) throws(Source.Failure) -> RowTrace where Source.Key == Key {
    switch touch.subject {
    case .touched(let entry): try source.trace(of: entries[entry].row)
    case .untouched(let index): RowTrace(try source.row(at: index))
    }
  }

  private func row<Source: ListSource & ~Copyable & ~Escapable>(
    of touch: Transition.Touch, reading source: inout Source
  ) throws(Source.Failure) -> Row where Source.Key == Key {
    switch touch.subject {
    case .touched(let entry): try source.row(entries[entry].row)
    case .untouched(let index): try source.row(at: index)
    }
  }
}
