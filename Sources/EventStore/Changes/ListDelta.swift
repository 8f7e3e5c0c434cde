/// What happened to one list in a stretch of the journal, netted: the source of the change sets of
/// all its windows.
///
/// The old ranks follow from the list as it is at the end: as many rows stood before a key as stand
/// there now, less those that came, plus those that went. So live delivery and catching up are one
/// and the same.
package struct ListDelta<Key> {
  /// One row's part in it.
  package struct Entry {
    /// The row.
    package let row: RowID
    /// Its key at the beginning; `nil` where it was not in the list.
    package let old: Key?
    /// Its key at the end; `nil` where it is not in the list.
    package let new: Key?
    /// The visible fields that changed on the way; some may hold again what they held before.
    package let difference: RowDifference

    /// A row's part.
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
    /// The index of the row's other stop, or nowhere.
    var other = Transition.nowhere
    var rank = 0
  }

  private let entries: [Entry]
  /// By how many rows the list grew beyond what the entries say.
  private let surplus: Int
  /// All places, in the order of their keys.
  private var stops: [Stop] = []
  /// How many stops, from the first, have a rank.
  private var known = 0
  /// How many of those are new.
  private var knownNew = 0

  /// The net of a stretch, with each row once.
  ///
  /// Rows may be left out that were and are behind all windows to be asked for; `surplus` is by how
  /// many these made the list longer.
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

  /// Puts the stops in the order of their keys.
  private mutating func sort<Source: ListSource & ~Copyable & ~Escapable>(
    _ source: borrowing Source
  ) where Source.Key == Key {
    if stops.count == 2 {
      // One row has most often been touched.
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

  /// Lets the two stops of a row know each other.
  private mutating func pair() {
    guard entries.contains(where: { $0.old != nil && $0.new != nil }) else { return }
    // One row has most often been touched, and then there is nothing to look up.
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
  /// The change set of a window, or `nil` where nothing happened to it.
  ///
  /// Rows that stayed behind the window cost nothing.
  ///
  /// - Complexity: O(k log k) and 2 k ranks for the k rows that are before the window's end, and
  ///   O(d log d) for d rows displaced across its edges.
  package mutating func changeSet<Source: ListSource & ~Copyable & ~Escapable>(
    in window: ListWindow, from: Position, to: Position, reading source: inout Source
  ) throws(Source.Failure) -> ChangeSet? where Source.Key == Key {
    // What stands behind the window at both ends stands behind all rows that are displaced from it.
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

  /// Where the list may differ: a window that holds none of these ranks shows nothing of it.
  package struct Reach {
    /// The ranks, at the beginning or at the end.
    package let ranks: Range<Int>
    /// Whether the list has more or fewer rows.
    let isCountChanged: Bool
  }

  /// Finds out where the list may differ, as far as a limit.
  ///
  /// - Complexity: As for a change set of the window that ends there.
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

  /// By how many rows the list became longer.
  private var growth: Int { surplus + 2 * stops.count(where: \.isNew) - stops.count }

  /// Learns the ranks of all stops that are below a limit at one of both ends, at least.
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

  /// What happened to the list, without the rows that have no known rank.
  ///
  /// These are behind the window in both lists, where nothing tells them from rows that were never
  /// there.
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
