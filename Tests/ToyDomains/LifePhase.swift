/// What a process is at that keeps a store until it is killed; it tells a line when it goes over to
/// another.
package enum LifePhase: String, CaseIterable, Sendable {
  /// It opens the store.
  case open
  /// All rows are made anew.
  case rebuild
  /// What was made anew is committed, and takes the place of what was there.
  case swap
  /// Events are appended.
  case ingest
  /// The views are committed.
  case commit
  /// It lets go of the store.
  case suspend
  /// It takes it up again.
  case resume
  /// It closes the store.
  case close

  /// What lines of phases begin with.
  private static let mark = "phase "

  /// The line that says that it goes over to this.
  package var line: String { Self.mark + rawValue }

  /// The phase that a line says; `nil` where it says something else.
  package init?(line: some StringProtocol) {
    guard line.hasPrefix(Self.mark) else { return nil }
    self.init(rawValue: String(line.dropFirst(Self.mark.count)))
  }
}
