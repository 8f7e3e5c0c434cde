/// The phase of a process that keeps a store until it is killed; the process prints a line when it
/// enters a phase.
package enum LifePhase: String, CaseIterable, Sendable {
  /// The process opens the store.
  case open
  /// It rebuilds all rows.
  case rebuild
  /// It commits the rebuilt rows, which replace the previous ones.
  case swap
  /// It appends events.
  case ingest
  /// It commits the views.
  case commit
  /// It suspends the store.
  case suspend
  /// It resumes the store.
  case resume
  /// It closes the store.
  case close

  /// The prefix of a phase's line.
  private static let mark = "phase "

  /// The line that announces this phase.
  package var line: String { Self.mark + rawValue }

  /// The phase that a line announces; `nil` for any other line.
  package init?(line: some StringProtocol) {
    guard line.hasPrefix(Self.mark) else { return nil }
    self.init(rawValue: String(line.dropFirst(Self.mark.count)))
  }
}
