import LMDB

/// Taking payloads out of their records, and what they left behind out of the file.
extension WriterLoop {
  /// The records that one slice erases.
  private static let erasedMax = 128
  /// The records that are looked at between two looks at the clock.
  private static let step = 64

  /// Begins to erase, of the records that there are now.
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

  /// Erases as many payloads as fit a slice; says how many, and whether those were the last.
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

  /// Notes that no record has the payloads any more.
  ///
  /// What was made of them is of another incarnation now, and whoever writes to the log opens it
  /// anew first.
  mutating func endErasing(
    _ pace: inout SlicePace, _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) {
    try slice(&pace, clock, .full) { _, store, _ in
      var random = SystemRandomNumberGenerator()
      store.incarnation = StoreID(using: &random)
      store.erasures += 1
      store.viewsStamp = nil
      store.task = .wiping
    }
  }

  /// Overwrites a slice of what is left of them; says whether that was the last.
  mutating func wipe(
    _ wipe: inout PageWipe, durable: UInt64, _ pace: inout SlicePace,
    _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) -> Bool {
    try check()
    let start = clock()
    let turn = SliceTurn(clock: clock, end: start + pace.turn)
    do throws(LMDBError) {
      let isDone = try wipe.run(on: file.environment, durable: durable) { turn.isOver }
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
  /// The next records to be erased, as they are without their payloads, and the key to go on from;
  /// `nil` where there are no more.
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
