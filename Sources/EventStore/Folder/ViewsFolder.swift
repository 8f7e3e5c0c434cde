package import LMDB

/// Where the views of a log live, and what may be done with what is found there.
///
///     switch try views.open(log: log.standing(), recipe: recipe) {
///     case .use(let generation): // open its environment, then ask `log.trust(_:in:)`
///     case .rebuild(let reason): // with the lease: `begin`, fill, `swapIn`, `tidy`
///     }
///
/// It may be removed at any moment, and be swapped for another: what is opened next is made anew
/// then. See <doc:ViewsFormat>.
package struct ViewsFolder: Sendable, Hashable {
  /// The folder.
  package let folder: Folder
  /// The generations in it.
  package var generations: Generations { Generations(in: folder) }

  /// How often opening begins again where another process swaps in a generation meanwhile.
  private static let triesMax = 16

  /// What to do with the views.
  package enum Opening: Sendable {
    /// Open this generation.
    case use(Generation)
    /// Make a new generation, for this reason.
    case rebuild(because: Distrust)
  }

  /// The folder at a path; it is made by whoever opens it.
  package init(at path: String) { folder = Folder(path) }

  /// Finds what to do with the views, without opening or mapping any.
  ///
  /// The folder is made where it is missing; its parent must be there.
  ///
  /// - Throws: What the system fails with. Whatever is found in the folder is no error.
  package func open(
    log: LogStanding, recipe: Recipe, boot: Boot? = .current
  ) throws(LMDBError) -> Opening {
    try folder.create()
    for _ in 0..<Self.triesMax {
      let pointer = try ViewsPointer.read(in: folder)
      // It is used before it is looked at, so that nobody removes it in between.
      let generation = try pointer.flatMap { pointer throws(LMDBError) in
        try generations.use(pointer.generation)
      }
      let trust = try Trust(
        in: pointer, found: find(generation), boot: boot, log: log, recipe: recipe)
      guard try ViewsPointer.read(in: folder) == pointer else { continue }
      switch trust {
      case .distrusted(let reason): return .rebuild(because: reason)
      case .trusted:
        // From here on it is told when the file changes behind its back.
        if let generation, try generation.check() == nil { return .use(generation) }
      }
    }
    return .rebuild(because: .missingFile)
  }

  private func find(_ generation: Generation?) throws(LMDBError) -> DataFile {
    try generation.map { generation throws(LMDBError) in try DataFile(in: generation.folder) }
      ?? .missing
  }

  /// Takes the lease to write, which is asked for by all that change something; `nil` where a
  /// process has it.
  ///
  /// The folder is made where it is missing.
  package func tryTakeLease() throws(LMDBError) -> Lease? {
    try folder.create()
    return try Lease.tryTake(in: folder)
  }

  /// Begins a new generation, empty, which nobody looks at until it is swapped in.
  package func begin(_ lease: Lease, log: LogStanding) throws(LMDBError) -> Generation {
    let known = [try ViewsPointer.read(in: folder)?.generation, log.stamp?.generation]
    return try generations.make(after: known.compactMap { $0 }, lease)
  }

  /// Makes a generation the current one, once it is whole and committed.
  ///
  /// Whoever uses the one before may go on, and finds the new one on opening.
  package func swapIn(
    _ generation: Generation, _ lease: Lease, log: LogStanding, recipe: Recipe,
    boot: Boot? = .current
  ) throws(LMDBError) {
    try lease.require(folder)
    guard let data = try generation.folder.identity(of: Environment.dataFile) else {
      throw LMDBError(.missing, "find the data file in \(generation.folder.path)")
    }
    try ViewsPointer(
      generation: generation.number, recipe: recipe, store: log.store,
      incarnation: log.incarnation, boot: boot, data: data
    ).write(in: folder)
  }

  /// Has whoever opens the views next make them anew.
  func distrust(_ lease: Lease) throws(LMDBError) {
    try lease.require(folder)
    try folder.remove(ViewsPointer.file)
  }

  /// Says that the current generation is of this run of the machine, before the first write to it
  /// since it was opened.
  ///
  /// The log's stamp must be taken out after this, and before the write. As it may stand for long,
  /// and after a loss of power be all that the views are trusted by, the pointer that it goes with
  /// is on the medium when this returns, if it was written.
  ///
  /// In this order: a process that dies in between leaves views that are trusted, and are whole.
  package func prepareWriting(
    _ generation: Generation, _ lease: Lease, boot: Boot? = .current
  ) throws(LMDBError) {
    try lease.require(folder)
    guard var pointer = try ViewsPointer.read(in: folder), pointer.generation == generation.number
    else { throw LMDBError(.missing, "find the pointer to \(generation.folder.path)") }
    guard pointer.boot != boot else { return }
    pointer.boot = boot
    try pointer.write(in: folder)
    try flushPointer()
  }

  /// Puts the pointer on the medium, and that it is there.
  private func flushPointer() throws(LMDBError) {
    try File(folder.path(of: ViewsPointer.file), .update).flush()
    try folder.flushWithName()
  }

  /// Puts the current generation on the medium, and returns the stamp to put into the log.
  ///
  /// Nothing may be written to it from before this call until the stamp is taken out again.
  package func clean(
    _ generation: Generation, _ environment: Environment, _ applied: Applied, _ lease: Lease
  ) throws(LMDBError) -> CleanStamp {
    try lease.require(folder)
    guard let data = try generation.folder.identity(of: Environment.dataFile) else {
      throw LMDBError(.missing, "find the data file in \(generation.folder.path)")
    }
    try environment.flush()
    try generation.folder.flush()
    try flushPointer()
    return CleanStamp(
      generation: generation.number, applied: applied, file: data,
      transaction: try environment.lastTransaction)
  }

  /// Removes every file that was made of the log, so that it is made anew without what was erased
  /// there; says whether all of them are gone, or a process uses a generation still.
  package func removeAll(_ lease: Lease) throws(LMDBError) -> Bool {
    try lease.require(folder)
    try folder.remove(ViewsPointer.file)
    try folder.remove(FirstScreen.file)
    try folder.remove(FirstScreen.file + Folder.unfinished)
    try folder.remove(ViewsPointer.file + Folder.unfinished)
    try generations.removeStale(keeping: nil, lease)
    try folder.flush()
    return try generations.numbers().isEmpty
  }

  /// Removes what nobody uses: older generations, and the rests of rebuilds that came to no end.
  @discardableResult
  package func tidy(_ lease: Lease) throws(LMDBError) -> [UInt64] {
    try generations.removeStale(
      keeping: try ViewsPointer.read(in: folder)?.generation, lease)
  }
}
