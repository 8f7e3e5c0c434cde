extension Transition {
  /// Returns the changes inside a window, with indices relative to its first row.
  ///
  /// A row that crossed an edge of the window arrives or departs, whether it was touched or only
  /// displaced by other rows.
  ///
  /// - Complexity: O((k + d) log (k + d)) for k touched and d displaced rows.
  package func seen(through window: ListWindow) -> Transition {
    guard window.lowerBound > 0 || window.upperBound < max(oldCount, newCount) else { return self }
    guard !isWithin(window) else {
      return Transition(
        oldCount: window.count(of: oldCount), newCount: window.count(of: newCount),
        departures: departures, arrivals: arrivals)
    }
    var pane = Pane(window)
    for touch in departures where window.contains(touch.old) {
      pane.departures.append(pane.relative(touch))
    }
    for touch in arrivals where window.contains(touch.new) {
      pane.arrivals.append(pane.relative(touch))
    }
    let touched = (pane.departures.count, pane.arrivals.count)
    walk(untouched: { pane.addDisplaced(of: $0) }, touched: { _ in })
    if pane.departures.count > touched.0 { pane.departures.sort { $0.old < $1.old } }
    if pane.arrivals.count > touched.1 { pane.arrivals.sort { $0.new < $1.new } }
    return Transition(
      oldCount: window.count(of: oldCount), newCount: window.count(of: newCount),
      departures: pane.departures, arrivals: pane.arrivals)
  }
}

extension Transition {
  /// Returns whether a window begins at the start of the list, contains all places of the touched
  /// rows, and has no row displaced across its end because as many rows arrived as departed.
  private func isWithin(_ window: ListWindow) -> Bool {
    let last = max(departures.last?.old ?? 0, arrivals.last?.new ?? 0)
    return window.lowerBound == 0 && last < window.upperBound
      && departures.count == arrivals.count
  }
}

/// The touched rows of a window, as they are collected.
private struct Pane {
  let window: ListWindow
  var departures: [Transition.Touch] = []
  var arrivals: [Transition.Touch] = []

  init(_ window: ListWindow) { self.window = window }

  func relative(_ touch: Transition.Touch) -> Transition.Touch {
    Transition.Touch(touch.subject, old: relative(touch.old), new: relative(touch.new))
  }

  private func relative(_ index: Int) -> Int {
    window.contains(index) ? index - window.lowerBound : Transition.nowhere
  }

  /// Adds the rows of a run that are in the window on one side only.
  mutating func addDisplaced(of run: Transition.Run) {
    let before = rows(of: run, from: run.old)
    let after = rows(of: run, from: run.new)
    Self.forEach(of: before, without: after) { row in
      departures.append(
        Transition.Touch(
          .untouched(at: run.new + row), old: relative(run.old + row), new: Transition.nowhere))
    }
    Self.forEach(of: after, without: before) { row in
      arrivals.append(
        Transition.Touch(
          .untouched(at: run.new + row), old: Transition.nowhere, new: relative(run.new + row)))
    }
  }

  /// Calls `body` with each element of a range before another range, then with each one after it.
  private static func forEach(
    of range: Range<Int>, without other: Range<Int>, _ body: (Int) -> Void
  ) {
    guard range.overlaps(other) else { return range.forEach(body) }
    for row in range.lowerBound..<max(range.lowerBound, other.lowerBound) { body(row) }
    for row in min(range.upperBound, other.upperBound)..<range.upperBound { body(row) }
  }

  /// Returns the offsets of a run's rows that are in the window if the run starts at an index.
  private func rows(of run: Transition.Run, from start: Int) -> Range<Int> {
    let first = min(max(window.lowerBound - start, 0), run.count)
    return first..<max(first, min(window.upperBound - start, run.count))
  }
}
