import LMDB

/// A log as lines of JSON, part by part.
///
///     var export = try LogExport(log)
///     while let part = try export.next() { write(part) }
///
/// It is the log as it stood when it began; what is appended meanwhile is left out. It holds no
/// transaction between two parts, and no more than a part in memory. See <doc:ExportFormat>.
public struct LogExport {
  /// What of a log is exported, and how.
  public struct Options: Sendable {
    /// The first record, where that is not the log's: what came before it is left out, and those
    /// that replay what is left don't see it.
    public var first: RecordNumber?
    /// How texts are replaced; without it they are as they are.
    public var redaction: Redaction?
    /// Whether a record that is damaged is replaced by one of kind ``EventKind/lost``, rather than
    /// ending it all.
    public var passesOverDamage = false
    /// The bytes that the file may have: the oldest records are left out where it would have more.
    public var bytesMax: Int?

    /// Everything, as it is.
    public init() {}
  }

  private enum Stage { case head, records, manifest, done }

  private let log: Log
  private let options: Options
  private let redactor: Redactor?
  private var head: ExportHead
  /// The last record that there was when it began.
  private let last: RecordNumber
  /// Where it has come to in the log.
  private var place: Applied
  /// The number that must come next, above the floor.
  private var expected: RecordNumber
  /// The chain at the last line's record.
  private var chain: Chain
  private var isInBaseline: Bool
  private var time = Timestamp(rawValue: 0)
  private var stage = Stage.head
  private var writer = ExportWriter()
  /// How many bytes of records are still left out, to keep the limit.
  private var excess = 0

  /// What was written so far, and all of it behind the last part.
  public private(set) var manifest = ExportManifest()

  /// The bytes of a part, unless one record has more.
  static let partBytes = 1 << 18
  /// What the first and the last line have at most.
  private static let frameBytesMax = 1024

  /// Begins to export a log.
  ///
  /// O(1), or twice what exporting takes where there is a limit and the log is over it.
  ///
  /// - Throws: ``LogError``; `damagedRecord` where the first record is not there.
  public init(_ log: Log, _ options: Options = Options()) throws(LogError) {
    try self.init(log, measured: options)
    guard let limit = options.bytesMax else { return }
    var (measure, size) = (self, Self.frameBytesMax)
    measure.stage = .records
    while try measure.fill() { size += measure.writer.take().count }
    size += measure.writer.take().count
    excess = max(0, size - limit)
  }

  private init(_ log: Log, measured options: Options) throws(LogError) {
    (self.log, self.options) = (log, options)
    redactor = options.redaction.map(Redactor.init)
    let start = try log.exportStart(from: options.first)
    (place, last, isInBaseline) = (start.place, start.last, start.head.hasBaseline)
    head = start.head
    if let redactor { head = redactor.redacted(head) }
    expected = head.floor.advanced(by: 1)
    let baseline = Baseline(upTo: head.floor, of: head.id, in: 1)
    chain = head.hasBaseline ? Chain(baseline.beginning.chain) : Chain(head.chain)
  }

  /// How many records there are, as far as their numbers tell: for showing how far it has come.
  public var total: Int { head.floor.distance(to: last) }

  /// How many of them it has come to.
  public var done: Int { head.floor.distance(to: expected) - 1 }

  /// The next lines, or `nil` behind the last.
  ///
  /// - Throws: ``LogError``; `damagedRecord` unless damage is passed over; `compacted` where the
  ///   log was, beyond where it has come to.
  public mutating func next() throws(LogError) -> [UInt8]? {
    switch stage {
    case .head:
      while excess > 0 { try skip() }
      writer.write(head)
      stage = .records
      return noted()
    case .records:
      let goesOn = try fill()
      if !goesOn { stage = .manifest }
      return writer.bytes.isEmpty ? try next() : noted()
    case .manifest:
      manifest.chain = chain.value
      writer.write(manifest)
      stage = .done
      return writer.take()
    case .done: return nil
    }
  }

  private mutating func noted() -> [UInt8] {
    let part = writer.take()
    manifest.checksum = Checksum.of(part.raw, continuing: manifest.checksum)
    return part
  }

  /// Leaves out records until the limit is kept; what follows begins behind the last of them.
  private mutating func skip() throws(LogError) {
    let goesOn = try fill(upTo: min(excess, Self.partBytes))
    excess -= writer.take().count
    if !goesOn { excess = 0 }
    guard excess <= 0 else { return }
    excess = 0
    // What is left of a baseline would be told from one that is whole by nothing.
    while isInBaseline, try fill(upTo: 1) { _ = writer.take() }
    _ = writer.take()
    leaveBaseline()
    let kept = manifest
    manifest = ExportManifest()
    manifest.checksum = kept.checksum
    head.floor = expected.advanced(by: -1)
    (head.chain, head.hasBaseline) = (chain.value, false)
  }
}

extension LogExport {
  /// Writes records until a part is full; says whether there are more.
  private mutating func fill(upTo limit: Int = LogExport.partBytes) throws(LogError) -> Bool {
    let goesOn = try log.reading { snapshot throws(LogError) in
      var cursor = try snapshot.records(behind: place)
      var isBehindDamage = false
      while writer.bytes.count < limit || isBehindDamage {
        do throws(LogError) {
          guard try cursor.next(), cursor.number <= last || !cursor.isBehindBaseline else {
            return false
          }
          write(cursor.record, isBehindBaseline: cursor.isBehindBaseline)
          (place, isBehindDamage) = (cursor.place, false)
        } catch {
          guard case .damagedRecord(let number, _) = error, options.passesOverDamage else {
            throw error
          }
          if isInBaseline, number > manifest.last, number <= head.floor { lose(number) }
          isBehindDamage = true
        }
      }
      return true
    }
    if !goesOn { fillHole(upTo: last) }
    return goesOn && place.number < last
  }

  private mutating func write(_ record: borrowing RecordView, isBehindBaseline: Bool) {
    if isBehindBaseline {
      leaveBaseline()
      fillHole(upTo: record.number.advanced(by: -1))
      expected = record.number.advanced(by: 1)
    }
    let header = record.header
    time = header.recordedAt
    guard let redactor else { return write(record.number, header, record.payload) }
    let (redacted, payload) = redactor.redacted(header, record.payload)
    write(record.number, redacted, payload.raw)
  }

  /// Goes on from the floor, where it has not yet.
  private mutating func leaveBaseline() {
    if isInBaseline { (isInBaseline, chain) = (false, Chain(head.chain)) }
  }

  /// Writes a record for each that is missing behind the floor.
  private mutating func fillHole(upTo end: RecordNumber) {
    guard expected <= end else { return }
    leaveBaseline()
    while expected <= end {
      lose(expected)
      expected = expected.advanced(by: 1)
    }
  }

  /// Writes a record for one that can't be read.
  private mutating func lose(_ number: RecordNumber) {
    manifest.lost += 1
    write(number, .lost(at: time), RawSpan())
  }

  private mutating func write(
    _ number: RecordNumber, _ header: RecordHeader, _ payload: RawSpan
  ) {
    var header = header
    chain = chain.extended(by: number, header)
    header.chain = chain.value
    writer.write(number, header, payload: payload)
    manifest.records += 1
    manifest.last = number
    manifest.payloadBytes += UInt64(payload.byteCount)
  }
}

extension Chain {
  /// The chain after one more record of that header.
  func extended(by number: RecordNumber, _ header: RecordHeader) -> Chain {
    let count = header.byteCount
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withMutableBytes { header.write(to: &$0, at: 0) }
    return extended(by: number, bytes.raw, count: count)
  }
}

extension Log {
  /// Where an export begins, and what its head says.
  fileprivate func exportStart(
    from first: RecordNumber?
  ) throws(LogError) -> (head: ExportHead, place: Applied, last: RecordNumber) {
    let store = try storeRecord()
    return try reading { snapshot throws(LogError) in
      var head = ExportHead(
        id: store.id, secret: store.secret, generation: store.generation,
        erasures: store.erasures, floor: snapshot.floor, chain: snapshot.base.chain.value,
        hasBaseline: snapshot.base.baseline != nil, isRedacted: false)
      guard let first, first > snapshot.floor.advanced(by: 1) else {
        return (head, snapshot.base.beginning, snapshot.last)
      }
      guard first <= snapshot.last else { throw .damagedRecord(first, .absent) }
      head.floor = first.advanced(by: -1)
      head.chain = try snapshot.chain(at: head.floor) ?? 0
      head.hasBaseline = false
      return (head, Applied(number: head.floor, chain: head.chain), snapshot.last)
    }
  }

  private func storeRecord() throws(LogError) -> StoreRecord {
    let (file, path) = (file, path)
    do {
      if let store = try file.environment.read({ try file.store(in: $0) }) { return store }
    } catch {
      throw LogError(error, path: path)
    }
    throw .notALog(path: path)
  }
}
