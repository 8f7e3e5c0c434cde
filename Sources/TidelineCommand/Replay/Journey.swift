import EventStore

/// Shows how far going through a log has come: a bar for each time that it is gone through.
final class Journey {
  /// Whether it is shown; not where something else shows how far all of it has come.
  var isShown = true
  /// What goes through the log.
  var replays: [Replay] = []
  private var bar: ProgressBar?
  private var start = RecordNumber.zero
  private var known: Store.Progress?

  /// Takes note of how far it has come.
  func show(_ progress: Store.Progress) {
    guard isShown else { return }
    let isSame = known.map { $0.last == progress.last && $0.done <= progress.done } ?? false
    if bar == nil || !isSame {
      end()
      start = progress.done
      bar = ProgressBar("records", of: start.distance(to: progress.last), on: .errors)
    }
    known = progress
    try? bar?.show(start.distance(to: progress.done))
  }

  /// The events that were left out on all ways, by their numbers.
  var refused: [RefusedEvent] {
    let all = replays.flatMap { (try? $0.refused()) ?? [] }
    return Set(all).sorted { $0.number < $1.number }
  }

  /// Shows that it has come to where it was to.
  func end() {
    try? bar?.end()
    bar = nil
  }
}
