import LMDB

/// Writing a baseline where it is not read yet, and putting it in place of the prefix.
extension WriterLoop {
  /// Begins a baseline for a new floor.
  mutating func beginStaging(
    upTo floor: RecordNumber, _ pace: inout SlicePace, _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) {
    try slice(&pace, clock) { _, store, _ in
      let area = KeySpace.baselines.first { $0 != store.baseline?.area } ?? 1
      let baseline = Baseline(upTo: floor, of: store.id, in: area)
      store.task = .staging(.init(floor: floor, baseline: baseline, last: .zero))
    }
  }

  /// Writes as many of the baseline's next records as fit in a slice; returns their number.
  ///
  /// - Throws: `damagedRecord` if a record to keep is missing or damaged.
  mutating func stage(
    _ records: ArraySlice<BaselineRecord>, _ pace: inout SlicePace,
    _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) -> Int {
    let file = file
    let staged = try slice(&pace, clock) { transaction, store, turn throws(LMDBError) in
      guard case .staging(var staging)? = store.task else {
        throw LMDBError(.corrupted, "find the baseline on its way")
      }
      var (count, failure) = (0, LogError?.none)
      for record in records {
        if count > 0, turn.isOver { break }
        failure = try file.stage(record, &staging, store.base, in: &transaction)
        guard failure == nil else { break }
        count += 1
      }
      store.task = .staging(staging)
      return (count, failure)
    }
    if let failure = staged.1 { throw failure }
    return staged.0
  }

  /// Moves the floor: from now on, the baseline is read.
  mutating func installBaseline(
    _ pace: inout SlicePace, _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) -> Baseline {
    let file = file
    return try slice(&pace, clock, .full) { transaction, store, _ throws(LMDBError) in
      guard case .staging(let staging)? = store.task,
        let bytes = try transaction.bytes(for: staging.floor.rawValue, in: file.table),
        let header = RecordHeader(bytes)
      else { throw LMDBError(.corrupted, "find the baseline on its way") }
      (store.floor, store.floorChain) = (staging.floor, header.chain)
      store.baseline = staging.baseline
      store.generation += 1
      store.task = .sweeping
      return staging.baseline
    }
  }

  /// Removes records below the floor that are not in the active baseline; returns whether all of
  /// them are gone.
  mutating func sweep(
    _ pace: inout SlicePace, _ clock: @escaping @Sendable () -> Instant
  ) throws(LogError) -> Bool {
    let file = file
    return try slice(&pace, clock) { transaction, store, turn throws(LMDBError) in
      var ranges = KeySpace.baselines.filter { $0 != store.baseline?.area }.map(KeySpace.range(of:))
      if store.task == .sweeping { ranges.append(1..<store.floor.rawValue + 1) }
      for range in ranges {
        guard try file.removeAll(in: range, during: turn, &transaction) else { return false }
      }
      store.task = nil
      return true
    }
  }
}

extension LogFile {
  /// Writes one record of a baseline; returns an error if that is impossible.
  fileprivate func stage(
    _ record: BaselineRecord, _ staging: inout LogTask.Staging, _ base: LogBase,
    in transaction: inout WriteTransaction
  ) throws(LMDBError) -> LogError? {
    let number = record.number
    precondition(
      number > staging.last && number <= staging.floor,
      "record \(number) of a baseline is out of order, or above its floor")
    var bytes: [UInt8]
    let headerCount: Int
    switch record.content {
    case .written(let content, let count): (bytes, headerCount) = (content, count)
    case .kept:
      let area = number > base.number ? KeySpace.log : base.baseline?.area ?? KeySpace.log
      let found = try transaction.bytes(for: KeySpace.key(number, in: area), in: table)
      guard let found else { return .damagedRecord(number, .absent) }
      if let damage = RecordView(number, found).damage { return .damagedRecord(number, damage) }
      (bytes, headerCount) = (found.array, RecordHeader.count(in: found))
    }
    let chain = staging.baseline.end.extended(by: number, bytes.raw, count: headerCount)
    bytes.withMutableBytes { $0.store(integer: chain.value, at: headerCount - 4) }
    let key = KeySpace.key(number, in: staging.baseline.area)
    try transaction.put(bytes, for: key, in: table)
    staging.baseline.end = chain
    staging.baseline.count += 1
    staging.last = number
    return nil
  }

  /// Removes the entries in a range of keys until the turn ends; returns whether none is left.
  fileprivate func removeAll(
    in range: Range<UInt64>, during turn: SliceTurn, _ transaction: inout WriteTransaction
  ) throws(LMDBError) -> Bool {
    var cursor = try transaction.writeCursor(
      over: table, in: .from(range.lowerBound, before: range.upperBound))
    while try cursor.next() {
      try cursor.remove()
      if turn.isOver { return false }
    }
    return true
  }
}
