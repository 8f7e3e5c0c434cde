/// What happened to a list between two moments, as indices alone.
///
/// The rows that were *touched* have a place in the old list, in the new one, or in both. All
/// others kept their order among themselves; so they make up few *runs*, which both lists have,
/// and everything here costs O(k log k) for k touched rows, however long the list is.
///
///     old    a b C d e f        touched: C (2 → 4), X (none → 1)
///     new    a X b d C e f      runs:    a (0 → 0), b (1 → 2), d (3 → 3), e f (4 → 5)
package struct Transition: Sendable, Equatable {
  /// How many rows the list had.
  package let oldCount: Int
  /// How many rows it has.
  package let newCount: Int
  /// The touched rows that were in the old list, in its order.
  package let departures: [Touch]
  /// The touched rows that are in the new list, in its order.
  package let arrivals: [Touch]

  /// A transition in which each touched row that is in both lists is among both arrays.
  package init(oldCount: Int, newCount: Int, departures: [Touch], arrivals: [Touch]) {
    precondition(
      oldCount - departures.count == newCount - arrivals.count,
      "the rows that were not touched are in both lists")
    self.oldCount = oldCount
    self.newCount = newCount
    self.departures = departures
    self.arrivals = arrivals
  }

  /// The index of a row in a list where it is not.
  package static let nowhere = -1
}

extension Transition {
  /// Whose place it is.
  package enum Subject: Sendable, Equatable {
    /// One of the rows that were touched, by the number that the caller gave it.
    case touched(Int)
    /// A row that was not, and only crossed the edge of a window; by its index in the whole new
    /// list.
    case untouched(at: Int)
  }

  /// A row's place in both lists.
  package struct Touch: Sendable, Equatable {
    /// The row.
    package let subject: Subject
    /// Its index in the old list, or ``nowhere``.
    package let old: Int
    /// Its index in the new list, or ``nowhere``.
    package let new: Int

    /// A row's place in both lists.
    @inline(__always)
    package init(_ subject: Subject, old: Int, new: Int) {
      self.subject = subject
      self.old = old
      self.new = new
    }
  }

  /// Rows that follow each other in both lists.
  package struct Run: Sendable, Equatable {
    /// The index of the first in the old list.
    package let old: Int
    /// The index of the first in the new list.
    package let new: Int
    /// How many they are.
    package let count: Int

    /// So many rows, from an index of each list.
    @inline(__always)
    package init(old: Int, new: Int, count: Int) {
      self.old = old
      self.new = new
      self.count = count
    }
  }
}

extension Transition {
  /// Calls with every run of untouched rows and every touched row that is in both lists, in the
  /// order of the new list.
  @inline(__always)
  func walk(untouched: (Run) -> Void, touched: (Touch) -> Void) {
    var (old, new, departed, arrived) = (0, 0, 0, 0)
    while true {
      while departed < departures.count, departures[departed].old == old {
        departed += 1
        old += 1
      }
      if arrived < arrivals.count, arrivals[arrived].new == new {
        if arrivals[arrived].old >= 0 { touched(arrivals[arrived]) }
        arrived += 1
        new += 1
        continue
      }
      let oldEnd = departed < departures.count ? departures[departed].old : oldCount
      let newEnd = arrived < arrivals.count ? arrivals[arrived].new : newCount
      let count = min(oldEnd - old, newEnd - new)
      guard count > 0 else { return }
      untouched(Run(old: old, new: new, count: count))
      old += count
      new += count
    }
  }

  /// The runs of untouched rows, in the order that both lists have them in.
  package var runs: [Run] {
    var runs: [Run] = []
    walk(untouched: { runs.append($0) }, touched: { _ in })
    return runs
  }
}
