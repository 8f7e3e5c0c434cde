package import LMDB

/// Reduction under watch: where that is due, each stretch of records is noted before it is reduced.
///
///     var watch = try CrashWatch(in: views, lease, log: standing, recipe: recipe, after: applied)
///     while let stretch = try watch.next(after: applied, through: last) {
///       // Reduce the stretch, but for what is `skipped`.
///     }
///     try watch.end()
///
/// A note is a write of some hundred bytes to a file that is not flushed: the process may die over
/// it, not the machine. See ``CrashGuard`` for the rule.
package struct CrashWatch: ~Copyable {
  /// The named limits of a watch.
  package struct Limits: Hashable, Sendable {
    /// The records behind the views that are gone through one by one where the process before died.
    package var singlesMax = 4096
    /// The records that one stretch has at most.
    package var stretchMax = 512

    /// The default limits.
    package init() {}
  }

  /// The record that is skipped from now on because the process before died at it: to be said.
  package let newlySkipped: RecordNumber?
  private var memory: CrashGuard
  private let folder: Folder
  private let pace: CrashPace
  /// Where notes go, while they are taken.
  private var notes: File?

  /// The watch over what follows `applied`, the last record in the views: 0 for a rebuild.
  ///
  /// Notes are taken where the process before died with the lease, or one before it died at a
  /// record that was not reduced since. A note whose process gave the lease back is no death's: it
  /// met with an error, and went on.
  package init(
    in views: ViewsFolder, _ lease: Lease, log: LogStanding, recipe: Recipe,
    after applied: RecordNumber, limits: Limits = Limits()
  ) throws(LMDBError) {
    var memory = try CrashGuard.read(in: views.folder, log: log, recipe: recipe)
    let isDue = lease.isInherited || memory.strikes != nil
    if !lease.isInherited, memory.noted != nil {
      memory.noted = nil
      try memory.write(in: views.folder)
    }
    let death = memory.takeDeath()
    let notes = isDue ? try memory.notes(in: views.folder) : nil
    self.notes = consume notes
    newlySkipped = death.skipped
    pace = CrashPace(
      after: applied, suspects: death.suspects, struck: memory.strikes?.number, limits)
    folder = views.folder
    self.memory = memory
  }

  /// Whether notes are taken.
  package var isWatching: Bool { notes != nil }

  /// The records that are skipped, in the order in which they came to be.
  package var skipped: [RecordNumber] { memory.skipped }

  /// Notes and returns the records to be reduced next, of those up to `last`: all, where no notes
  /// are taken; `nil` where none is left.
  ///
  /// Those that are skipped are among them.
  package mutating func next(
    after applied: RecordNumber, through last: RecordNumber
  ) throws(LMDBError) -> ClosedRange<RecordNumber>? {
    guard applied < last else {
      try rest()
      return nil
    }
    guard notes != nil else { return applied.advanced(by: 1)...last }
    let stretch = pace.stretch(after: applied, through: last)
    // What was got past did not end the process, whoever did when it was noted.
    if let strikes = memory.strikes, strikes.number <= applied { memory.strikes = nil }
    memory.noted = stretch
    try notes?.write(memory.bytes)
    return stretch
  }

  /// Notes that nothing is being reduced: what ends the process now is no record.
  private mutating func rest() throws(LMDBError) {
    guard notes != nil, memory.noted != nil else { return }
    memory.noted = nil
    try notes?.write(memory.bytes)
  }

  /// Takes no more notes: everything was reduced, and is safe with these reducers.
  package mutating func end() throws(LMDBError) {
    guard notes != nil else { return }
    notes = nil
    memory.noted = nil
    memory.strikes = nil
    try memory.write(in: folder)
  }
}

extension CrashGuard {
  /// The file that notes are written to in place: it is written as a whole first, as they have as
  /// many bytes.
  fileprivate func notes(in folder: Folder) throws(LMDBError) -> File {
    try folder.replace(Self.file, with: bytes)
    return try File(folder.path(of: Self.file), .update)
  }
}

/// How many records are noted at once.
struct CrashPace: Hashable, Sendable {
  /// What is gone through one by one.
  private let suspects: [ClosedRange<RecordNumber>]
  private let stretchMax: Int

  init(
    after applied: RecordNumber, suspects: ClosedRange<RecordNumber>?, struck: RecordNumber?,
    _ limits: CrashWatch.Limits
  ) {
    stretchMax = limits.stretchMax
    let first = applied.advanced(by: 1)...applied.advanced(by: limits.singlesMax)
    self.suspects = [first, suspects, struck.map { $0...$0 }].compactMap { $0 }
  }

  /// The records to be noted next; there must be some.
  func stretch(
    after applied: RecordNumber, through last: RecordNumber
  ) -> ClosedRange<RecordNumber> {
    let first = applied.advanced(by: 1)
    guard !suspects.contains(where: { $0.contains(first) }) else { return first...first }
    let next = suspects.map(\.lowerBound).filter { $0 > first }.min()
    let end = min(last, applied.advanced(by: stretchMax))
    return first...min(end, next?.advanced(by: -1) ?? end)
  }
}
