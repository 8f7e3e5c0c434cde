import EventStore

/// Shows the progress of passes over a log, with one bar per pass.
final class Journey {
  /// Whether it is shown; `false` if other output shows the overall progress.
  var isShown = true
  /// The replays that read the log.
  var replays: [Replay] = []
  private var bar: ProgressBar?
  private var start = RecordNumber.zero
  private var known: Store.Progress?

  /// Shows the progress.
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

  /// The events that any of the replays left out, by number.
  var refused: [RefusedEvent] {
    let all = replays.flatMap { (try? $0.refused()) ?? [] }
    return Set(all).sorted { $0.number < $1.number }
  }

  /// Completes the current bar.
  func end() {
    try? bar?.end()
    bar = nil
  }
}
