import LMDB

/// The draining of a spool, round by round, on the writer's thread.
///
/// Each round removes what earlier ones drained, reads the next files, and appends them in one
/// transaction. So what a round appends is removed by the next, or by that of another process.
package struct SpoolDrain: Sendable {
  /// The named limits of a round.
  package struct Limits: Sendable {
    /// The files that are appended in one transaction.
    package var countMax = 256
    /// The bytes beyond which a round reads no further file.
    package var bytesMax = 8 << 20
    /// The unfinished files that are left alone; of more, the earliest are taken for forgotten.
    package var unfinishedMax = 16

    /// The default limits.
    package init() {}
  }

  /// A file that was read, and its event.
  private struct Candidate {
    let name: String
    let batch: Batch
  }

  private let folder: Folder
  private let limits: Limits
  /// The files that were looked at already, so that none that stays where it is halts the drain.
  private var seen: Set<String> = []

  /// What came of it so far.
  private(set) var drained = Drained()
  /// Whether no file is left.
  private(set) var isDone = false

  init(_ spool: Spool, limits: Limits) {
    folder = spool.folder
    self.limits = limits
  }

  /// Drains as much as one transaction may hold.
  mutating func round(_ loop: inout WriterLoop) throws(LogError) {
    let names = try names()
    let removed = names.isEmpty ? [] : try removeDrained(&loop)
    let waiting = names.filter { !seen.contains($0) && !removed.contains($0) }
    isDone = waiting.isEmpty
    let files = read(waiting, loop.secret)
    if !files.isEmpty { try append(files, removed, &loop) }
  }

  /// The names of all events' files, in order.
  private func names() throws(LogError) -> [String] {
    try inFolder { folder throws(LMDBError) in
      let names = try folder.names()
      let unfinished = names.filter { $0.hasSuffix(SpoolNames.finished + SpoolNames.unfinished) }
      for name in unfinished.dropLast(limits.unfinishedMax) { try folder.remove(name) }
      return names.filter { $0.hasSuffix(SpoolNames.finished) }
    }
  }

  /// Makes certain that what the log remembers as drained is gone; returns what that was.
  ///
  /// What a transaction says can be seen an instant before it is on the medium, and is not on it
  /// for certain where its process was killed in that instant; hence the flush, which costs nothing
  /// where this process wrote it.
  private func removeDrained(_ loop: inout WriterLoop) throws(LogError) -> Set<String> {
    let names = try loop.currentStore().drained
    guard !names.isEmpty else { return [] }
    loop.flushWhatIsRead()
    try loop.check()
    try inFolder { folder throws(LMDBError) in
      for name in names { try folder.remove(name) }
      try folder.flush()
    }
    return Set(names)
  }

  /// Reads the next files, up to the limits.
  private mutating func read(_ names: [String], _ secret: FingerprintKey) -> [Candidate] {
    var files: [Candidate] = []
    var bytes = 0
    for name in names where files.count < limits.countMax && bytes < limits.bytesMax {
      seen.insert(name)
      do throws(SpoolDamage) {
        guard let batch = try read(name, secret) else { continue }
        files.append(Candidate(name: name, batch: batch))
        bytes += batch.byteCount
      } catch {
        refuse(name, error)
      }
    }
    return files
  }

  /// The event of a file, or `nil` where another drain has taken it.
  private func read(_ name: String, _ secret: FingerprintKey) throws(SpoolDamage) -> Batch? {
    guard let bytes = try bytes(of: name) else { return nil }
    let file = try SpoolFile(bytes.raw)
    var event = file.event
    if let name = file.entity {
      event.entity = Fingerprint(rawValue: secret.fingerprint(of: name))
    }
    var batch = Batch()
    batch.add(event, payload: bytes.raw.extracting(file.payload))
    return batch
  }

  private func bytes(of name: String) throws(SpoolDamage) -> [UInt8]? {
    do throws(LMDBError) {
      let file = try File(folder.path(of: name), .read)
      guard try file.isRegular() else {
        throw LMDBError(.undecodable, "\(file.path) is no file")
      }
      // A byte more than an event can have is enough to tell that there are too many.
      return try file.bytes(at: 0, count: min(file.size(), SpoolFile.bytesMax + 1))
    } catch {
      guard error.code != .missing else { return nil }
      throw .unreadable(error.description)
    }
  }

  /// Gives a file a name that no drain looks at; one that can't be read keeps its own.
  private mutating func refuse(_ name: String, _ damage: SpoolDamage) {
    var refusal = Drained.Refusal(name: name, damage: damage)
    if case .unreadable = damage { return drained.refused.append(refusal) }
    let other = freeName(for: name)
    do throws(LMDBError) {
      try folder.rename(name, to: other)
      refusal = Drained.Refusal(name: other, damage: damage)
    } catch {
      // Another drain has refused it, and reports it.
      guard error.code != .missing else { return }
    }
    drained.refused.append(refusal)
  }

  private func freeName(for name: String) -> String {
    var (refused, count) = (name + SpoolNames.refused, 1)
    while folder.contains(refused) {
      count += 1
      refused = "\(name).\(count)\(SpoolNames.refused)"
    }
    return refused
  }

  /// Appends what was read and not drained meanwhile by another process.
  private mutating func append(
    _ files: [Candidate], _ removed: Set<String>, _ loop: inout WriterLoop
  ) throws(LogError) {
    var plan = SpoolPlan(read: [], remembered: [], removed: []) { _ in false }
    let first = try loop.write(.full) { (loop, transaction, end) throws(LMDBError) in
      var store = try loop.file.currentStore(in: transaction)
      plan = SpoolPlan(
        read: files.map(\.name), remembered: store.drained, removed: removed,
        isThere: folder.contains)
      for file in files where plan.appended.contains(file.name) {
        try file.batch.write(to: &transaction, loop.file.table, &end)
      }
      store.drained = plan.remembered
      try loop.file.put(store, in: &transaction)
    }.get()
    drained.records += (0..<plan.appended.count).map(first.advanced(by:))
  }

  private func inFolder<R>(
    _ body: (Folder) throws(LMDBError) -> R
  ) throws(LogError) -> R {
    do throws(LMDBError) {
      return try body(folder)
    } catch {
      throw LogError(error, path: folder.path)
    }
  }
}
