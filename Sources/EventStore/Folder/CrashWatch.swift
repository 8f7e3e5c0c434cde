package import LMDB

/// Watched reduction: if necessary, each stretch of records is noted before it is reduced.
///
///     var watch = try CrashWatch(in: views, lease, log: standing, recipe: recipe, after: applied)
///     while let stretch = try watch.next(after: applied, through: last) {
///       // Reduce the stretch, except for the `skipped` records.
///     }
///     try watch.end()
///
/// Taking a note writes some hundred bytes to a file without flushing it: notes survive the death
/// of the process, but not of the machine. See ``CrashGuard`` for the rules.
package struct CrashWatch: ~Copyable {
  /// The limits of a watch.
  package struct Limits: Hashable, Sendable {
    /// The number of records after the views that are reduced one by one if the previous process
    /// died.
    package var singlesMax = 4096
    /// The maximum number of records in a stretch.
    package var stretchMax = 512

    /// Creates the default limits.
    package init() {}
  }

  /// The record that is newly skipped because the previous process died at it; it must be reported.
  package let newlySkipped: RecordNumber?
  private var memory: CrashGuard
  private let folder: Folder
  private let pace: CrashPace
  /// The file for notes, while notes are taken.
  private var notes: File?

  /// Creates a watch over the records after `applied`, the last record in the views: 0 for a
  /// rebuild.
  ///
  /// Notes are taken if the previous process died holding the lease, or if an earlier one died at a
  /// record that has not been reduced since. A note left by a process that released the lease is no
  /// sign of a death: that process met an error and continued.
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

  /// The skipped records, in the order in which they were added.
  package var skipped: [RecordNumber] { memory.skipped }

  /// Notes and returns the next records to reduce, up to `last`: all of them if no notes are taken;
  /// `nil` if none is left.
  ///
  /// The result may include skipped records.
  package mutating func next(
    after applied: RecordNumber, through last: RecordNumber
  ) throws(LMDBError) -> ClosedRange<RecordNumber>? {
    guard applied < last else {
      try rest()
      return nil
    }
    guard notes != nil else { return applied.advanced(by: 1)...last }
    let stretch = pace.stretch(after: applied, through: last)
    // A record that was passed did not end the process, whatever ended it while that was noted.
    if let strikes = memory.strikes, strikes.number <= applied { memory.strikes = nil }
    memory.noted = stretch
    try notes?.write(memory.bytes)
    return stretch
  }

  /// Notes that no record is being reduced, so that a death from now on is not blamed on one.
  private mutating func rest() throws(LMDBError) {
    guard notes != nil, memory.noted != nil else { return }
    memory.noted = nil
    try notes?.write(memory.bytes)
  }

  /// Stops taking notes: all records were reduced, and are safe with these reducers.
  package mutating func end() throws(LMDBError) {
    guard notes != nil else { return }
    notes = nil
    memory.noted = nil
    memory.strikes = nil
    try memory.write(in: folder)
  }
}

extension CrashGuard {
  /// Returns the file to which notes are written in place; it is first replaced as a whole, because
  /// all notes have the same length.
  fileprivate func notes(in folder: Folder) throws(LMDBError) -> File {
    try folder.replace(Self.file, with: bytes)
    return try File(folder.path(of: Self.file), .update)
  }
}

/// The rule for how many records are noted at once.
struct CrashPace: Hashable, Sendable {
  /// The records to reduce one by one.
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

  /// Returns the next records to note, of which at least one must exist.
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
