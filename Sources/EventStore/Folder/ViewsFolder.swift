package import LMDB

/// The folder that contains a log's views, and the rules for using its content.
///
///     switch try views.open(log: log.standing(), recipe: recipe) {
///     case .use(let generation): // open its environment, then ask `log.trust(_:in:)`
///     case .rebuild(let reason): // with the lease: `begin`, fill, `swapIn`, `tidy`
///     }
///
/// The folder may be removed or replaced at any moment; the next opening then rebuilds the views.
/// See <doc:ViewsFormat>.
package struct ViewsFolder: Sendable, Hashable {
  /// The folder.
  package let folder: Folder
  /// The generations in the folder.
  package var generations: Generations { Generations(in: folder) }

  /// The maximum number of attempts to open while another process swaps in a generation.
  private static let triesMax = 16

  /// The action to take with the views.
  package enum Opening: Sendable {
    /// Open this generation.
    case use(Generation)
    /// Build a new generation, for this reason.
    case rebuild(because: Distrust)
  }

  /// Creates a value for the folder at a path, which is created when it is opened.
  package init(at path: String) { folder = Folder(path) }

  /// Determines what to do with the views, without opening or mapping any.
  ///
  /// The folder is created if it is missing; its parent must exist.
  ///
  /// - Throws: Any system error. Nothing found in the folder is an error.
  package func open(
    log: LogStanding, recipe: Recipe, boot: Boot? = .current
  ) throws(LMDBError) -> Opening {
    try folder.create()
    for _ in 0..<Self.triesMax {
      let pointer = try ViewsPointer.read(in: folder)
      // Use it before inspecting it, so that no process removes it in between.
      let generation = try pointer.flatMap { pointer throws(LMDBError) in
        try generations.use(pointer.generation)
      }
      let trust = try Trust(
        in: pointer, found: find(generation), boot: boot, log: log, recipe: recipe)
      guard try ViewsPointer.read(in: folder) == pointer else { continue }
      switch trust {
      case .distrusted(let reason): return .rebuild(because: reason)
      case .trusted:
        // From here on, the generation notices if its file changes.
        if let generation, try generation.check() == nil { return .use(generation) }
      }
    }
    return .rebuild(because: .missingFile)
  }

  private func find(_ generation: Generation?) throws(LMDBError) -> DataFile {
    try generation.map { generation throws(LMDBError) in try DataFile(in: generation.folder) }
      ?? .missing
  }

  /// Takes the lease to write, which every method that changes something requires; `nil` if a
  /// process holds it.
  ///
  /// The folder is created if it is missing.
  package func tryTakeLease() throws(LMDBError) -> Lease? {
    try folder.create()
    return try Lease.tryTake(in: folder)
  }

  /// Begins a new, empty generation, which no process sees until it is swapped in.
  package func begin(_ lease: Lease, log: LogStanding) throws(LMDBError) -> Generation {
    let known = [try ViewsPointer.read(in: folder)?.generation, log.stamp?.generation]
    return try generations.make(after: known.compactMap { $0 }, lease)
  }

  /// Makes a generation the current one, once it is complete and committed.
  ///
  /// Users of the previous generation may continue, and find the new one at their next opening.
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

  /// Forces the next opening to rebuild the views.
  func distrust(_ lease: Lease) throws(LMDBError) {
    try lease.require(folder)
    try folder.remove(ViewsPointer.file)
  }

  /// Marks the current generation as written in this boot of the machine, before the first write
  /// since it was opened.
  ///
  /// The log's stamp must be removed after this call and before the write. The stamp may remain for
  /// long, and be all that the views are trusted by after a power loss. If the pointer was written,
  /// it is therefore durable when this returns.
  ///
  /// With this order, a process that dies in between leaves views that are trusted and intact.
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

  /// Flushes the pointer and its directory entry to storage.
  private func flushPointer() throws(LMDBError) {
    try File(folder.path(of: ViewsPointer.file), .update).flush()
    try folder.flushWithName()
  }

  /// Flushes the current generation to storage, and returns the stamp to set in the log.
  ///
  /// The generation must not be written to from before this call until the stamp is removed again.
  package func clean(
    _ generation: Generation, _ environment: Environment, _ applied: LogPoint, _ lease: Lease
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

  /// Removes every file derived from the log, so that it is rebuilt without erased data; returns
  /// whether all are gone, which fails while a process uses a generation.
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

  /// Removes unused files: older generations, and the remains of unfinished rebuilds.
  @discardableResult
  package func tidy(_ lease: Lease) throws(LMDBError) -> [UInt64] {
    try generations.removeStale(
      keeping: try ViewsPointer.read(in: folder)?.generation, lease)
  }
}
