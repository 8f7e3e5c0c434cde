package import LMDB

/// Rewrites a log, record by record with the given headers, into a folder without a log.
///
/// Numbers continue from the store's floor without gaps, and the chain is computed along the way.
/// Nothing is flushed before ``finish()``.
package struct LogRewriter {
  private let file: LogFile
  private var store: StoreRecord
  private var end: LogFile.End
  private var headers: [(header: RecordHeader, payload: Range<Int>)] = []
  private var payloads: [UInt8] = []
  /// The pending records of the baseline with their keys.
  private var waiting: [(key: UInt64, bytes: [UInt8])] = []
  /// The size of these in bytes.
  package private(set) var waitingByteCount = 0

  /// The most bytes and records written in one transaction.
  private static let (groupBytes, groupCount) = (4 << 20, 1 << 14)

  /// - Parameter store: The new log's own record; its inode is replaced.
  package init(in folder: Folder, _ store: StoreRecord) throws(LMDBError) {
    file = try LogFile(at: folder.path, options: Environment.Options())
    var store = store
    store.inode = try folder.identityOfData().inode
    self.store = store
    end = LogFile.End(
      number: store.floor, chain: store.base.chain, transaction: 0, base: store.base)
    let (file, written) = (file, store)
    try file.environment.write(.none) { transaction throws(LMDBError) in
      try file.put(written, in: &transaction)
    }
  }

  /// The number of the last appended record; the floor before the first.
  package var last: RecordNumber { end.number.advanced(by: headers.count) }

  /// Appends a record; ignores its header's chain.
  package mutating func append(_ header: RecordHeader, _ payload: RawSpan) throws(LMDBError) {
    let start = payloads.count
    payloads.append(copying: payload)
    headers.append((header, start..<payloads.count))
    if payloads.count >= Self.groupBytes || headers.count >= Self.groupCount { try write() }
  }

  /// Begins a baseline, whose records follow those of the log.
  package mutating func beginBaseline(in area: UInt64) {
    store.baseline = Baseline(upTo: store.floor, of: store.id, in: area)
  }

  /// Appends a record of the baseline.
  package mutating func appendBaseline(
    _ number: RecordNumber, _ header: RecordHeader, _ payload: RawSpan
  ) throws(LMDBError) {
    try write()
    guard var baseline = store.baseline else { preconditionFailure("there is no baseline") }
    let (key, count) = (KeySpace.key(number, in: baseline.area), header.byteCount)
    var bytes = [UInt8](repeating: 0, count: count) + payload.array
    bytes.withMutableBytes { header.write(to: &$0, at: 0) }
    baseline.end = baseline.end.extended(by: number, bytes.raw, count: count)
    bytes.withMutableBytes { $0.store(integer: baseline.end.value, at: count - 4) }
    baseline.count += 1
    store.baseline = baseline
    waiting.append((key, bytes))
    waitingByteCount += bytes.count
    if waitingByteCount >= Self.groupBytes || waiting.count >= Self.groupCount {
      try writeBaseline()
    }
  }

  private mutating func writeBaseline() throws(LMDBError) {
    let (file, waiting) = (file, waiting)
    try file.environment.write(.none) { transaction throws(LMDBError) in
      for (key, bytes) in waiting { try transaction.put(bytes, for: key, in: file.table, .append) }
    }
    (self.waiting, waitingByteCount) = ([], 0)
  }

  /// Flushes everything to disk and closes the files; the rewriter can't be used afterwards.
  package mutating func finish() throws(LMDBError) {
    try write()
    try writeBaseline()
    let (file, store) = (file, store)
    if store.baseline != nil {
      try file.environment.write(.none) { transaction throws(LMDBError) in
        try file.put(store, in: &transaction)
      }
    }
    try file.environment.flush()
    file.environment.close()
  }

  /// Writes the collected records.
  private mutating func write() throws(LMDBError) {
    guard !headers.isEmpty else { return }
    let (table, start, headers, payloads) = (file.table, end, headers, payloads)
    let isLast = store.baseline.map { $0.count == 0 } ?? true
    end = try file.environment.write(.none) { transaction throws(LMDBError) in
      var end = start
      var appender = try transaction.appender(to: table, isLast: isLast)
      for (header, payload) in headers {
        let count = header.byteCount
        var record = try appender.reserve(count + payload.count, for: end.number.rawValue + 1)
        header.write(to: &record, at: 0)
        record.store(copying: payloads.raw.extracting(payload), at: count)
        end.advance(over: &record, headerCount: count)
      }
      return end
    }
    self.headers.removeAll(keepingCapacity: true)
    self.payloads.removeAll(keepingCapacity: true)
  }
}
