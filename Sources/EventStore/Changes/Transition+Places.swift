extension Transition {
  /// The places of the untouched rows, searchable in either direction in O(log k).
  struct Places {
    private let runs: [Run]

    init(_ transition: Transition) { runs = transition.runs }

    /// Returns the new index of an untouched row from its old index.
    func new(ofOld index: Int) -> Int {
      let run = runs[last { $0.old <= index }]
      return run.new + (index - run.old)
    }

    /// Returns the old index of an untouched row from its new index.
    func old(ofNew index: Int) -> Int {
      let run = runs[last { $0.new <= index }]
      return run.old + (index - run.new)
    }

    /// Returns the index of the last run that satisfies a condition, which all runs before it
    /// satisfy too.
    private func last(where holds: (Run) -> Bool) -> Int {
      var (low, high) = (0, runs.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if holds(runs[middle]) { low = middle } else { high = middle }
      }
      return low
    }
  }
}

extension ChangeSet {
  /// The transition of the rows, ignoring rows that were only updated.
  var transition: Transition {
    let edits = edits
    var departures = edits.removals.map {
      Transition.Touch(.touched(0), old: $0.index, new: Transition.nowhere)
    }
    var arrivals = edits.insertions.map {
      Transition.Touch(.touched(0), old: Transition.nowhere, new: $0.index)
    }
    if !edits.moves.isEmpty {
      let moved = edits.moves.map { Transition.Touch(.touched(0), old: $0.old, new: $0.new) }
      departures = (departures + moved).sorted { $0.old < $1.old }
      arrivals = (arrivals + moved).sorted { $0.new < $1.new }
    }
    return Transition(
      oldCount: oldCount, newCount: newCount, departures: departures, arrivals: arrivals)
  }
}
