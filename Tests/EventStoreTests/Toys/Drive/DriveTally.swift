import EventStore

/// The counts of what histories have gone through.
struct DriveTally {
  var steps = 0
  var batches = 0
  var handed = 0
  var pulled = 0
  var watched = 0
  var widened = 0
  var merged = 0
  var caughtUp = 0
  var resets = 0
  var travels = 0
  var trials = 0
  var removals = 0
  var insertions = 0
  var moves = 0
  var updates = 0

  mutating func add(_ edits: ChangeSet.Edits) {
    removals += edits.removals.count
    insertions += edits.insertions.count
    moves += edits.moves.count
    updates += edits.updates.count
  }

  static func += (left: inout DriveTally, right: DriveTally) {
    left.steps += right.steps
    left.batches += right.batches
    left.handed += right.handed
    left.pulled += right.pulled
    left.watched += right.watched
    left.widened += right.widened
    left.merged += right.merged
    left.caughtUp += right.caughtUp
    left.resets += right.resets
    left.travels += right.travels
    left.trials += right.trials
    left.removals += right.removals
    left.insertions += right.insertions
    left.moves += right.moves
    left.updates += right.updates
  }
}

extension DriveTally: CustomStringConvertible {
  var description: String {
    """
    \(steps) steps in \(batches) batches: \(handed) change sets handed over, \(pulled) pulled, \
    with \(removals) removals, \(insertions) insertions, \(moves) moves, \(updates) updates, \
    \(merged) merged, \(watched) of single rows, \(widened) windows changed, \
    \(caughtUp) caught up with, \(resets) resets, \(travels) looks at the past, \
    \(trials) trials
    """
  }
}
