import LMDB

/// The draining of a spool, round by round, on the writer's thread.
///
/// Each round removes the files that earlier rounds drained, reads the next files, and appends
/// their events in one transaction. The files of a round are thus removed by the next round, here
/// or in another process. The folder is listed when all files of the last listing were read.
package struct SpoolDrain: Sendable {
  /// The named limits of a round.
  package struct Limits: Sendable {
    /// The maximum number of files that are appended in one transaction.
    package var countMax = 256
    /// The number of bytes after which a round reads no further file.
    package var bytesMax = 8 << 20
    /// The number of unfinished files that are left alone; beyond it, the earliest count as
    /// abandoned.
    package var unfinishedMax = 16

    /// The default limits.
    package init() {}
  }

  /// A file that was read, and its event as a batch.
  private struct Candidate {
    let name: String
    let batch: Batch
  }

  private let folder: Folder
  private let limits: Limits
  /// The files that were already seen, so that a file that stays in place can't stall the drain.
  private var seen: Set<String> = []
  /// The files of the last listing that are yet to be read.
  private var waiting: ArraySlice<String> = []

  /// The results so far.
  private(set) var drained = Drained()
  /// Whether no files are left.
  private(set) var isDone = false

  init(_ spool: Spool, limits: Limits) {
    folder = spool.folder
    self.limits = limits
  }

  /// Drains up to one transaction's worth of files.
  mutating func round(_ loop: inout WriterLoop) throws(LogError) {
    let left = try waiting.isEmpty ? names()[...] : waiting
    let removed = try left.isEmpty ? [] : removeDrained(&loop)
    if waiting.isEmpty {
      waiting = left.filter { !removed.contains($0) && seen.insert($0).inserted }[...]
    }
    isDone = waiting.isEmpty
    let files = read(loop.secret)
    if !files.isEmpty { try append(files, removed, &loop) }
  }

  /// Returns the names of all event files, in order; removes abandoned unfinished files.
  private func names() throws(LogError) -> [String] {
    try inFolder { folder throws(LMDBError) in
      let names = try folder.names()
      let unfinished = names.filter { $0.hasSuffix(SpoolNames.finished + SpoolNames.unfinished) }
      for name in unfinished.dropLast(limits.unfinishedMax) { try folder.remove(name) }
      return names.filter { $0.hasSuffix(SpoolNames.finished) }
    }
  }

  /// Ensures that the files that the log remembers as drained are gone; returns their names.
  ///
  /// A transaction is visible an instant before it is durable, and may never become durable if its
  /// process is killed in that instant. Hence the flush, which costs nothing for transactions of
  /// this process.
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
  private mutating func read(_ secret: FingerprintKey) -> [Candidate] {
    var files: [Candidate] = []
    var bytes = 0
    while files.count < limits.countMax, bytes < limits.bytesMax, let name = waiting.popFirst() {
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

  /// Returns the event of a file as a batch, or `nil` if another drain has taken the file.
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
      // One byte beyond the maximum is enough to detect a file that is too large.
      return try file.bytes(at: 0, count: min(file.size(), SpoolFile.bytesMax + 1))
    } catch {
      guard error.code != .missing else { return nil }
      throw .unreadable(error.description)
    }
  }

  /// Renames a file so that no drain sees it again; an unreadable file keeps its name.
  private mutating func refuse(_ name: String, _ damage: SpoolDamage) {
    var refusal = Drained.Refusal(name: name, damage: damage)
    if case .unreadable = damage { return drained.refused.append(refusal) }
    let other = freeName(for: name)
    do throws(LMDBError) {
      try folder.rename(name, to: other)
      refusal = Drained.Refusal(name: other, damage: damage)
    } catch {
      // Another drain has refused the file and reports it.
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

  /// Appends the events that were read, except those that another process drained in the meantime.
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
