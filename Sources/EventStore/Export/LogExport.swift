import LMDB

/// An export of a log as lines of JSON, in parts.
///
///     var export = try LogExport(log)
///     while let part = try export.next() { write(part) }
///
/// It contains the log as it was when the export began, without later appends. Between parts, the
/// export holds no transaction, and it keeps no more than one part in memory. See
/// <doc:ExportFormat>.
public struct LogExport {
  /// Options for what is exported, and how.
  public struct Options: Sendable {
    /// The first record to export, if it is not the log's first: earlier records are omitted, and a
    /// replay of the export does not see them, except those to be remembered.
    public var first: RecordNumber?
    /// Whether a record that precedes the first one to export is nevertheless written, as part of a
    /// baseline, because later records mean nothing without it.
    ///
    /// A record of kind ``EventKind/lost`` in that baseline stands for all others.
    public var remembers: @Sendable (RecordHeader) -> Bool = { _ in false }
    /// The replacement of texts; without it, texts are exported unchanged.
    public var redaction: Redaction?
    /// Whether a damaged record is replaced by one of kind ``EventKind/lost`` instead of ending the
    /// export with an error.
    public var passesOverDamage = false
    /// The maximum number of bytes in the file: the oldest records are omitted to stay below it,
    /// as if they preceded the first.
    ///
    /// Nothing is remembered if that took more than half of it.
    public var bytesMax: Int?
    /// Whether the export is still wanted; called now and then, also while nothing is written yet,
    /// as when the log is measured to keep a limit.
    ///
    /// Once it returns `false`, the export ends without a manifest. It must not return `true`
    /// afterwards.
    public var mayGoOn: @Sendable () -> Bool = { true }

    /// Creates options that export everything unchanged.
    public init() {}
  }

  private enum Stage { case head, records, manifest, done }

  private let log: Log
  private let options: Options
  private let redactor: Redactor?
  private var head: ExportHead
  /// The log's last record when the export began.
  private let last: RecordNumber
  /// What the log's records began with when the export did.
  private let base: LogBase
  /// The current place in the log.
  private var place: LogPoint
  /// The number that must come next, above the floor.
  private var expected: RecordNumber
  /// The chain at the last written record.
  private var chain: Chain
  private var isInBaseline: Bool
  private var time = Timestamp(rawValue: 0)
  private var stage = Stage.head
  private var writer = ExportWriter()
  /// The number of bytes of records still to be omitted to keep the limit.
  private var excess = 0
  /// The records to be remembered, in ascending order; those that are not omitted don't count.
  private var remembered: [RecordNumber] = []

  /// The manifest of the records written so far, which is complete after the last part.
  public private(set) var manifest = ExportManifest()

  /// The size of a part, unless a single record is larger.
  static let partBytes = 1 << 18
  /// The maximum size of the first and the last line together.
  private static let frameBytesMax = 1024

  /// Begins an export of a log.
  ///
  /// O(1) without a limit on bytes; with one, as much as a complete export. If records are omitted,
  /// O(omitted records) in addition.
  ///
  /// - Throws: ``LogError``; `damagedRecord` if the first record does not exist.
  public init(_ log: Log, _ options: Options = Options()) throws(LogError) {
    try self.init(log, measured: options)
    if !head.hasBaseline { remembered = try log.numbers(upTo: head.floor, options) }
    guard let limit = options.bytesMax else { return }
    var (measure, size) = (self, Self.frameBytesMax)
    try measure.writeRemembered()
    let fewest = measure.writer.take().count
    measure = self
    measure.stage = .records
    while try measure.fill() {
      size += measure.writer.take().count
      guard isWanted() else { return }
    }
    size += measure.writer.take().count
    guard size + fewest > limit else { return }
    measure.remembered = try log.numbers(upTo: last, options)
    try measure.writeRemembered()
    let more = measure.writer.take().count
    // The end of the log is worth more than what it needs of the beginning.
    let fits = more <= limit / 2
    remembered = fits ? measure.remembered : []
    excess = size + (fits ? more : 0) - limit
  }

  private init(_ log: Log, measured options: Options) throws(LogError) {
    (self.log, self.options) = (log, options)
    redactor = options.redaction.map(Redactor.init)
    let start = try log.exportStart(from: options.first, options.passesOverDamage)
    (base, place, last) = (start.base, start.place, start.last)
    isInBaseline = start.head.hasBaseline
    head = start.head
    if let redactor { head = redactor.redacted(head) }
    expected = head.floor.advanced(by: 1)
    let baseline = Baseline(upTo: head.floor, of: head.id, in: 1)
    chain = head.hasBaseline ? Chain(baseline.beginning.chain) : Chain(head.chain)
  }

  /// The number of records according to their numbering, for reporting progress.
  public var total: Int { head.floor.distance(to: last) }

  /// The number of those records reached so far.
  public var done: Int { head.floor.distance(to: expected) - 1 }

  /// Returns the next lines, or `nil` after the last, or if the export is not wanted any more.
  ///
  /// - Throws: ``LogError``; `damagedRecord` unless damage is passed over; `compacted` if the log
  ///   was compacted past the current place.
  public mutating func next() throws(LogError) -> [UInt8]? {
    guard isWanted() else { return nil }
    switch stage {
    case .head:
      while excess > 0 {
        try skip()
        guard isWanted() else { return nil }
      }
      remembered.removeAll { $0 > head.floor }
      head.hasBaseline = head.hasBaseline || !remembered.isEmpty
      writer.write(head)
      try writeRemembered()
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

  /// Ends the export if it is not wanted any more; returns whether it hasn't ended.
  private mutating func isWanted() -> Bool {
    if !options.mayGoOn() { stage = .done }
    return stage != .done
  }

  private mutating func noted() -> [UInt8] {
    let part = writer.take()
    manifest.checksum = Checksum.of(part.raw, continuing: manifest.checksum)
    return part
  }

  /// Omits records until the limit is kept; the export then begins after the last omitted record.
  private mutating func skip() throws(LogError) {
    let goesOn = try fill(upTo: min(excess, Self.partBytes))
    excess -= writer.take().count
    if !goesOn { excess = 0 }
    guard excess <= 0 else { return }
    excess = 0
    // The remainder of a baseline would be indistinguishable from a whole one.
    while isInBaseline, options.mayGoOn(), try fill(upTo: 1) { _ = writer.take() }
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
  /// Writes records until a part is full; returns whether more follow.
  private mutating func fill(upTo limit: Int = LogExport.partBytes) throws(LogError) -> Bool {
    let goesOn = try log.reading { snapshot throws(LogError) in
      guard isThere(in: snapshot) else { throw .compacted(floor: snapshot.floor) }
      var cursor = try snapshot.records(after: place)
      var isBehindDamage = false
      while writer.bytes.count < limit || isBehindDamage {
        do throws(LogError) {
          guard try cursor.next(), cursor.number <= last || !cursor.isBehindBaseline else {
            return false
          }
          // What is missing before it may fill the part.
          guard write(cursor.record, isBehindBaseline: cursor.isBehindBaseline, limit) else {
            return true
          }
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
    return goesOn ? place.number < last : !fillHole(upTo: last, limit)
  }

  /// Whether the log still has what follows the current place: another baseline stands for other
  /// records.
  private func isThere(in snapshot: borrowing Snapshot) -> Bool {
    let now = snapshot.base
    return place.number >= now.number && place != now.beginning
      || now.number == base.number && now.baseline == base.baseline
  }

  /// Writes a record after what is missing before it, unless that fills a part; returns whether it
  /// wrote the record.
  private mutating func write(
    _ record: borrowing RecordView, isBehindBaseline: Bool, _ limit: Int
  ) -> Bool {
    if isBehindBaseline {
      leaveBaseline()
      guard fillHole(upTo: record.number.advanced(by: -1), limit) else { return false }
      expected = record.number.advanced(by: 1)
    }
    write(record.header, record.payload, as: record.number)
    return true
  }

  /// Writes a record, redacted if it must be.
  private mutating func write(
    _ header: RecordHeader, _ payload: RawSpan, as number: RecordNumber
  ) {
    time = header.recordedAt
    guard let redactor else { return write(number, header, payload) }
    let (redacted, bytes) = redactor.redacted(header, payload)
    write(number, redacted, bytes.raw)
  }

  /// Writes the records to be remembered, as a baseline, and a placeholder for the others.
  private mutating func writeRemembered() throws(LogError) {
    guard !remembered.isEmpty else { return }
    isInBaseline = true
    chain = Chain(Baseline(upTo: head.floor, of: head.id, in: 1).beginning.chain)
    var hole = head.floor
    for number in remembered.reversed() where number == hole { hole = hole.advanced(by: -1) }
    try log.reading { snapshot throws(LogError) in
      for number in remembered.filter({ $0 < hole }) + [hole] + remembered.filter({ $0 > hole }) {
        if number == hole {
          if hole > .zero { write(hole, .lost(at: time), RawSpan()) }
        } else if let record = try record(number, of: snapshot) {
          write(record.header, record.payload.raw, as: number)
        }
      }
    }
  }

  /// Returns a record to be remembered; `nil` if it is damaged by now, and damage is passed over.
  private func record(
    _ number: RecordNumber, of snapshot: borrowing Snapshot
  ) throws(LogError) -> Record? {
    do throws(LogError) { return try snapshot.record(number) } catch {
      if case .damagedRecord = error, options.passesOverDamage { return nil }
      throw error
    }
  }

  /// Continues from the floor, unless it already has.
  private mutating func leaveBaseline() {
    if isInBaseline { (isInBaseline, chain) = (false, Chain(head.chain)) }
  }

  /// Writes a placeholder for each record missing after the floor, up to a number,
  /// as long as they fit in a part; returns whether all of them did.
  private mutating func fillHole(upTo end: RecordNumber, _ limit: Int) -> Bool {
    guard expected <= end else { return true }
    leaveBaseline()
    while expected <= end, writer.bytes.count < limit {
      lose(expected)
      expected = expected.advanced(by: 1)
    }
    return expected > end
  }

  /// Writes a placeholder for an unreadable record.
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
  /// Returns the chain after one more record with a header.
  func extended(by number: RecordNumber, _ header: RecordHeader) -> Chain {
    let count = header.byteCount
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withMutableBytes { header.write(to: &$0, at: 0) }
    return extended(by: number, bytes.raw, count: count)
  }
}

extension Log {
  /// Returns the undamaged records up to a number that an export remembers, in ascending order, as
  /// long as it is wanted.
  fileprivate func numbers(
    upTo end: RecordNumber, _ options: LogExport.Options
  ) throws(LogError) -> [RecordNumber] {
    try reading { snapshot throws(LogError) in
      var cursor = try snapshot.records()
      var numbers: [RecordNumber] = []
      while let found = try cursor.find(), cursor.number <= end {
        if case .record = found, options.remembers(cursor.record.header) {
          numbers.append(cursor.number)
        }
        if cursor.number.rawValue % 1024 == 0, !options.mayGoOn() { break }
      }
      return numbers
    }
  }

  /// Returns the place at which an export begins, and its head.
  fileprivate func exportStart(
    from first: RecordNumber?, _ passesOverDamage: Bool
  ) throws(LogError) -> (head: ExportHead, base: LogBase, place: LogPoint, last: RecordNumber) {
    let store = try storeRecord()
    return try reading { snapshot throws(LogError) in
      var head = ExportHead(
        id: store.id, secret: store.secret, generation: store.generation,
        erasures: store.erasures, floor: snapshot.floor, chain: snapshot.base.chain.value,
        hasBaseline: snapshot.base.baseline != nil, isRedacted: false)
      guard let first, first > snapshot.floor.advanced(by: 1) else {
        return (head, snapshot.base, snapshot.base.beginning, snapshot.last)
      }
      guard first <= snapshot.last else { throw .damagedRecord(first, .absent) }
      head.floor = first.advanced(by: -1)
      do throws(LogError) { head.chain = try snapshot.chain(at: head.floor) ?? 0 } catch {
        guard case .damagedRecord = error, passesOverDamage else { throw error }
      }
      head.hasBaseline = false
      let place = LogPoint(number: head.floor, chain: head.chain)
      return (head, snapshot.base, place, snapshot.last)
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
