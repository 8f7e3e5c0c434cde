/// The changes to a list between two moments, expressed only as indices.
///
/// The *touched* rows have a place in the old list, in the new one, or in both. All other rows kept
/// their relative order, so they form a few *runs* common to both lists. Every operation therefore
/// costs O(k log k) for k touched rows, regardless of the list's length.
///
///     old    a b C d e f        touched: C (2 → 4), X (none → 1)
///     new    a X b d C e f      runs:    a (0 → 0), b (1 → 2), d (3 → 3), e f (4 → 5)
package struct Transition: Sendable, Equatable {
  /// The number of rows in the old list.
  package let oldCount: Int
  /// The number of rows in the new list.
  package let newCount: Int
  /// The touched rows in the old list, in its order.
  package let departures: [Touch]
  /// The touched rows in the new list, in its order.
  package let arrivals: [Touch]

  /// Creates a transition; a touched row that is in both lists is in both arrays.
  package init(oldCount: Int, newCount: Int, departures: [Touch], arrivals: [Touch]) {
    precondition(
      oldCount - departures.count == newCount - arrivals.count,
      "the rows that were not touched are in both lists")
    self.oldCount = oldCount
    self.newCount = newCount
    self.departures = departures
    self.arrivals = arrivals
  }

  /// The index that stands for a row's absence from a list.
  package static let nowhere = -1
}

extension Transition {
  /// The row that a touch refers to.
  package enum Subject: Sendable, Equatable {
    /// A touched row, by the number that the caller gave it.
    case touched(Int)
    /// An untouched row that only crossed the edge of a window, by its index in the entire new
    /// list.
    case untouched(at: Int)
  }

  /// A row's place in both lists.
  package struct Touch: Sendable, Equatable {
    /// The row.
    package let subject: Subject
    /// The row's index in the old list, or ``nowhere``.
    package let old: Int
    /// The row's index in the new list, or ``nowhere``.
    package let new: Int

    /// Creates a row's place in both lists.
    @inline(__always)
    package init(_ subject: Subject, old: Int, new: Int) {
      self.subject = subject
      self.old = old
      self.new = new
    }
  }

  /// A run of rows that are adjacent in both lists.
  package struct Run: Sendable, Equatable {
    /// The index of the first row in the old list.
    package let old: Int
    /// The index of the first row in the new list.
    package let new: Int
    /// The number of rows.
    package let count: Int

    /// Creates a run of `count` rows from an index in each list.
    @inline(__always)
    package init(old: Int, new: Int, count: Int) {
      self.old = old
      self.new = new
      self.count = count
    }
  }
}

extension Transition {
  /// Calls a closure for every run of untouched rows and every touched row in both lists, in the
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

  /// The runs of untouched rows, in the order common to both lists.
  package var runs: [Run] {
    var runs: [Run] = []
    walk(untouched: { runs.append($0) }, touched: { _ in })
    return runs
  }
}
