import LMDB

/// Removing payloads from their records, and their remains from the file.
extension WriterLoop {
  /// The maximum number of records that one slice erases.
  private static let erasedMax = 128
  /// The number of records visited between two checks of the clock.
  private static let step = 64

  /// Begins an erasure among the existing records.
  mutating func beginErasing(
    _ selection: Erasure, _ pace: inout SlicePace, _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) {
    let file = file
    try slice(&pace, clock) { transaction, store, _ throws(LMDBError) in
      let end = try file.end(in: transaction).number
      let last = min(selection.last ?? end, end)
      store.task = .erasing(.init(selection: selection, through: last, next: 1))
    }
  }

  /// Erases as many payloads as fit in a slice; returns their number, and whether they were the
  /// last.
  mutating func erase(
    _ pace: inout SlicePace, _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) -> (count: UInt64, isDone: Bool) {
    let file = file
    return try slice(&pace, clock) { transaction, store, turn throws(LMDBError) in
      guard case .erasing(var erasing)? = store.task else { return (0, true) }
      let (found, next) = try file.find(erasing, during: turn, in: transaction)
      for (key, bytes) in found { try transaction.put(bytes, for: key, in: file.table) }
      if let next { erasing.next = next }
      store.task = .erasing(erasing)
      return (UInt64(found.count), next == nil)
    }
  }

  /// Notes that no record contains the payloads any more.
  ///
  /// Data derived from them now belongs to an earlier incarnation, and every writer reopens the log
  /// before it writes.
  mutating func endErasing(
    _ pace: inout SlicePace, _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) {
    try slice(&pace, clock, .full) { _, store, _ in
      var random = SystemRandomNumberGenerator()
      store.incarnation = StoreID(using: &random)
      store.erasures += 1
      store.viewsStamp = nil
      let erasing: LogTask.Erasing? =
        if case .erasing(let erasing)? = store.task { erasing } else { nil }
      store.task = .wiping(erasing)
    }
  }

  /// Overwrites a slice of the payloads' remains; returns whether it was the last.
  mutating func wipe(
    _ wipe: inout PageWipe, durable: UInt64, _ pace: inout SlicePace,
    _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) -> Bool {
    try check()
    let start = clock()
    let turn = SliceTurn(clock: clock, end: start + pace.turn)
    do throws(LMDBError) {
      let isDone = try head.writing { () throws(LMDBError) in
        try wipe.run(on: file.environment, durable: durable) { turn.isOver }
      }
      pace.note(held: clock() - start)
      return isDone
    } catch {
      throw LogError(error, path: path)
    }
  }

  /// Notes that nothing is left to do.
  mutating func endTask(
    _ pace: inout SlicePace, _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) {
    try slice(&pace, clock, .full) { _, store, _ in store.task = nil }
  }

  fileprivate static func isPause(_ seen: Int, _ found: Int, _ turn: SliceTurn) -> Bool {
    found >= erasedMax || (seen % step == 0 && seen > 0 && turn.isOver)
  }
}

extension LogFile {
  /// Returns the next records to erase, already without their payloads, and the key to continue
  /// from, which is `nil` if no more follow.
  fileprivate func find(
    _ erasing: LogTask.Erasing, during turn: SliceTurn, in transaction: borrowing WriteTransaction
  ) throws(LMDBError) -> (found: [(key: UInt64, bytes: [UInt8])], next: UInt64?) {
    var found: [(key: UInt64, bytes: [UInt8])] = []
    var seen = 0
    var cursor = try transaction.cursor(over: table, in: .from(erasing.next))
    while try cursor.next() {
      guard let key = UInt64(bytes: cursor.key) else { continue }
      if WriterLoop.isPause(seen, found.count, turn) { return (found, key) }
      seen += 1
      let number = KeySpace.number(of: key)
      guard number <= erasing.through, var header = RecordHeader(cursor.value),
        !header.isErased, header.payloadCount > 0, erasing.selection.contains(number, header)
      else { continue }
      header.isErased = true
      var bytes = [UInt8](repeating: 0, count: header.byteCount)
      bytes.withMutableBytes { header.write(to: &$0, at: 0) }
      found.append((key, bytes))
    }
    return (found, nil)
  }
}
