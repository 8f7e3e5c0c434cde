package import LMDB

/// The decision whether views may be opened and used as they are.
///
/// Views are written without flushes. After a power loss, LMDB may crash the process on such a
/// file, or return false data, and cannot be asked. The decision is therefore made without LMDB:
/// the file must be the one that was written, from this log and by this recipe. In addition, either
/// the machine must not have been restarted since, or the log must say that the file was flushed
/// and left alone.
package enum Trust: Hashable, Sendable {
  /// The views may be used.
  case trusted
  /// The views may not be used, and must be rebuilt.
  case distrusted(Distrust)

  /// Judges the file that a pointer names, before it is opened.
  package init(
    in pointer: ViewsPointer?, found: DataFile, boot: Boot?, log: LogStanding, recipe: Recipe
  ) {
    let reason =
      pointer.map { pointer in
        Self.change(pointer, log, recipe) ?? Self.loss(pointer, found)
          ?? Self.suspicion(pointer, found, boot, log)
      } ?? .noPointer
    self.init(unless: reason)
  }

  /// Judges a generation's own record of its progress, once it is open.
  ///
  /// `chainThere` is the log's chain at that number, if the log has it.
  package init(
    of applied: LogPoint, in generation: UInt64, chainThere: UInt32?, log: LogStanding
  ) {
    self.init(
      unless: Self.gap(applied, log)
        ?? (chainThere == applied.chain ? nil : .otherHistory)
        ?? Self.contradiction(applied, generation, log))
  }

  /// Returns why the log cannot continue where the views end.
  private static func gap(_ applied: LogPoint, _ log: LogStanding) -> Distrust? {
    if applied.number > log.last { return .ahead }
    return applied.number < log.floor ? .behindFloor : nil
  }

  /// Returns how the log contradicts the same generation.
  private static func contradiction(
    _ applied: LogPoint, _ generation: UInt64, _ log: LogStanding
  ) -> Distrust? {
    guard let stamp = log.stamp, stamp.generation == generation else { return nil }
    return stamp.applied == applied ? nil : .writtenSince
  }

  private init(unless reason: Distrust?) {
    self = reason.map { .distrusted($0) } ?? .trusted
  }

  /// Returns what changed since the views were made.
  private static func change(
    _ pointer: ViewsPointer, _ log: LogStanding, _ recipe: Recipe
  ) -> Distrust? {
    if pointer.store != log.store { return .otherStore }
    if pointer.incarnation != log.incarnation { return .otherCopy }
    if pointer.recipe.definitions != recipe.definitions { return .otherDefinitions }
    return pointer.recipe.reducers != recipe.reducers ? .otherReducers : nil
  }

  /// Returns what happened to the file.
  private static func loss(_ pointer: ViewsPointer, _ found: DataFile) -> Distrust? {
    switch found {
    case .missing: .missingFile
    case .damaged(let code): .damagedFile(code)
    case .sound(let identity, _): identity == pointer.data ? nil : .otherFile
    }
  }

  /// Returns why parts of the file may be lost.
  private static func suspicion(
    _ pointer: ViewsPointer, _ found: DataFile, _ boot: Boot?, _ log: LogStanding
  ) -> Distrust? {
    if let boot, pointer.boot == boot { return nil }
    guard let stamp = log.stamp else {
      return boot == nil || pointer.boot == nil ? .bootUnknown : .restarted
    }
    guard stamp.generation == pointer.generation, stamp.file == pointer.data else {
      return .otherStamp
    }
    guard found == .sound(stamp.file, transaction: stamp.transaction) else { return .writtenSince }
    return stamp.applied.number > log.last ? .ahead : nil
  }
}
