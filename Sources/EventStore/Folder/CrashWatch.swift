package import LMDB

/// Reduction under watch: each stretch of records is noted before it is reduced.
///
///     let watch = try CrashWatch.begin(in: folder, lease, log: standing, recipe: recipe, after: n)
///     while var watch, let stretch = try watch.next(after: n, through: last) { … }
///     try watch?.end()
///
/// A note is a write of some hundred bytes to a file that is not flushed: the process may die over
/// it, not the machine. See ``CrashGuard`` for the rule.
package struct CrashWatch: ~Copyable {
  /// The records behind the views that are gone through one by one where the process before died.
  package static let singlesMax = 4096
  /// The records that one stretch has at most.
  package static let stretchMax = 512

  /// What is remembered, with the records to be skipped.
  package private(set) var memory: CrashGuard
  /// The record that is skipped from now on because the process before died at it: to be said.
  package let newlySkipped: RecordNumber?
  private let pace: CrashPace
  private let folder: Folder
  private let file: File

  /// Begins a watch where one is due: the process before died with the lease, or one before it
  /// died at a record that was not reduced since.
  ///
  /// A note whose process gave the lease back is no death's: it met with an error, and went on.
  /// `applied` is the last record that is in the views: 0 for a rebuild.
  package static func begin(
    in views: ViewsFolder, _ lease: Lease, log: LogStanding, recipe: Recipe,
    after applied: RecordNumber
  ) throws(LMDBError) -> CrashWatch? {
    var memory = try CrashGuard.read(in: views.folder, log: log, recipe: recipe)
    if !lease.isInherited { memory.noted = nil }
    guard lease.isInherited || memory.strikes != nil else { return nil }
    return try CrashWatch(memory, views.folder, after: applied)
  }

  private init(
    _ memory: consuming CrashGuard, _ folder: Folder, after applied: RecordNumber
  ) throws(LMDBError) {
    let death = memory.takeDeath()
    newlySkipped = death.skipped
    pace = CrashPace(after: applied, suspects: death.suspects, struck: memory.strikes?.number)
    // Written as a whole first, so that notes can be written in place: their bytes are as many.
    try folder.replace(CrashGuard.file, with: memory.bytes)
    file = try File(folder.path(of: CrashGuard.file), .update)
    self.folder = folder
    self.memory = memory
  }

  /// Notes and returns the records to be reduced next, of those up to `last`; `nil` where none is
  /// left.
  ///
  /// Those that are skipped are among them.
  package mutating func next(
    after applied: RecordNumber, through last: RecordNumber
  ) throws(LMDBError) -> ClosedRange<RecordNumber>? {
    guard applied < last else { return nil }
    let stretch = pace.stretch(after: applied, through: last)
    memory.noted = stretch
    try file.write(memory.bytes)
    return stretch
  }

  /// Ends the watch: everything was reduced, and is safe with these reducers.
  package consuming func end() throws(LMDBError) {
    memory.noted = nil
    memory.strikes = nil
    try memory.write(in: folder)
  }
}

/// How many records are noted at once.
struct CrashPace: Hashable, Sendable {
  /// What is gone through one by one.
  private let suspects: [ClosedRange<RecordNumber>]

  init(
    after applied: RecordNumber, suspects: ClosedRange<RecordNumber>?, struck: RecordNumber?
  ) {
    let first = applied.advanced(by: 1)...applied.advanced(by: CrashWatch.singlesMax)
    self.suspects = [first, suspects, struck.map { $0...$0 }].compactMap { $0 }
  }

  /// The records to be noted next; there must be some.
  func stretch(
    after applied: RecordNumber, through last: RecordNumber
  ) -> ClosedRange<RecordNumber> {
    let first = applied.advanced(by: 1)
    guard !suspects.contains(where: { $0.contains(first) }) else { return first...first }
    let next = suspects.map(\.lowerBound).filter { $0 > first }.min()
    let end = min(last, applied.advanced(by: CrashWatch.stretchMax))
    return first...min(end, next?.advanced(by: -1) ?? end)
  }
}
