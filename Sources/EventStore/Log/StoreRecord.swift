import LMDB

/// The store's own record, kept beside the others under number 0.
///
/// See <doc:LogFormat>.
package struct StoreRecord: Hashable, Sendable {
  /// The newest format that this version reads and writes.
  static let format: UInt32 = 2
  /// The format of a log that was never compacted or erased in.
  private static let plainFormat: UInt32 = 1
  /// The record's key, which no other record has.
  package static let key: UInt64 = 0

  /// The identity of the store, shared by its copies.
  package var id: StoreID
  /// The identity of this copy of the store.
  package var incarnation: StoreID
  /// The file's number in its file system, which reveals a copy made by copying the file.
  package var inode: UInt64
  /// The secret key of fingerprints.
  package var secret: FingerprintKey
  /// A number that each rewrite of the log increments.
  package var generation: UInt64
  /// The last record that was compacted away.
  package var floor: RecordNumber
  /// The chain at the floor.
  package var floorChain: UInt32
  /// The stamp of the views' last clean sync, in the views' own encoding.
  var viewsStamp: [UInt8]?
  /// The spool files that were drained and may not be removed yet.
  package var drained: [String]
  /// The replacement for the records up to the floor, if they were compacted.
  package var baseline: Baseline?
  /// The task that is being done on the log, slice by slice.
  package var task: LogTask?
  /// The number of erasures of payloads.
  package var erasures: UInt64 = 0

  /// Creates a new store's record.
  package init(inode: UInt64, using generator: inout some RandomNumberGenerator) {
    id = StoreID(using: &generator)
    incarnation = StoreID(using: &generator)
    self.inode = inode
    secret = FingerprintKey(using: &generator)
    generation = 1
    floor = .zero
    floorChain = Chain(of: id).value
    viewsStamp = nil
    drained = []
  }

  /// The base that the records build on.
  var base: LogBase {
    LogBase(
      number: floor, chain: Chain(floorChain), baseline: baseline,
      usesAreas: baseline != nil || task?.usesAreas == true, erasures: erasures,
      incarnation: incarnation)
  }

  /// The format of its bytes: the oldest that can express the whole record.
  private var format: UInt32 {
    baseline == nil && task == nil && erasures == 0 ? Self.plainFormat : Self.format
  }
}

extension StoreRecord {
  private static let magic = Array("tideline".utf8)
  private static let headerCount = 16

  private enum Field {
    static let id = 1
    static let incarnation = 2
    static let inode = 3
    static let secret = 4
    static let generation = 5
    static let floor = 6
    static let floorChain = 7
    static let viewsStamp = 8
    static let drained = 9
    static let baselineArea = 10
    static let baselineCount = 11
    static let baselineEnd = 12
    static let task = 13
    static let erasures = 14
  }

  /// The reason that bytes are not a store's record.
  package enum Failure: Error, Hashable {
    case notAStore
    case newerFormat(Int)
    case damaged
  }

  /// The encoded record: magic, format, the checksum of everything else, and a payload.
  package var bytes: [UInt8] {
    let payload = PayloadWriter.bytes { writer in
      writer.put(Field.id, id.bytes)
      writer.put(Field.incarnation, incarnation.bytes)
      writer.put(Field.inode, Int64(bitPattern: inode))
      writer.put(Field.secret, secret.bytes)
      writer.put(Field.generation, Int64(bitPattern: generation))
      writer.put(Field.floor, Int64(bitPattern: floor.rawValue))
      writer.put(Field.floorChain, Int64(floorChain))
      if let viewsStamp { writer.put(Field.viewsStamp, viewsStamp) }
      if !drained.isEmpty {
        writer.putList(Field.drained) { list in drained.forEach { list.append($0) } }
      }
      put(baseline, to: &writer)
      if let task { writer.putFields(Field.task) { task.write(to: &$0) } }
      if erasures > 0 { writer.put(Field.erasures, Int64(bitPattern: erasures)) }
    }
    var bytes = Self.magic
    bytes.append(littleEndian: format)
    bytes.append(littleEndian: Checksum.of(payload.raw, continuing: Checksum.of(bytes.raw)))
    return bytes + payload
  }

  private func put(_ baseline: Baseline?, to writer: inout PayloadWriter) {
    guard let baseline else { return }
    writer.put(Field.baselineArea, Int64(baseline.area))
    writer.put(Field.baselineCount, Int64(bitPattern: baseline.count))
    writer.put(Field.baselineEnd, Int64(baseline.end.value))
  }

  /// Decodes a record from its bytes.
  package init(_ bytes: RawSpan) throws(Failure) {
    guard Self.isOne(bytes) else { throw .notAStore }
    let payload = bytes.extracting(droppingFirst: Self.headerCount)
    let checksum = Checksum.of(
      payload, continuing: Checksum.of(bytes.extracting(first: Self.headerCount - 4)))
    guard checksum == bytes.integer(UInt32.self, at: Self.headerCount - 4) else { throw .damaged }
    let format = bytes.integer(UInt32.self, at: Self.magic.count)
    guard format <= Self.format else { throw .newerFormat(Int(format)) }
    guard let fields = try? PayloadFields(decoding: payload), let record = StoreRecord(fields)
    else {
      throw .damaged
    }
    self = record
  }

  /// Whether bytes begin like a store's record, as no other record can.
  static func isOne(_ bytes: RawSpan) -> Bool {
    bytes.byteCount >= headerCount && bytes.extracting(first: magic.count).equals(magic.raw)
  }

  private init?(_ fields: PayloadFields) {
    guard case .bytes(let id)? = fields[Field.id], let id = StoreID(bytes: id),
      case .bytes(let incarnation)? = fields[Field.incarnation],
      let incarnation = StoreID(bytes: incarnation),
      let inode = fields.word(Field.inode),
      case .bytes(let secret)? = fields[Field.secret], secret.count == FingerprintKey.byteCount,
      let generation = fields.word(Field.generation),
      let floor = fields.word(Field.floor), floor < KeySpace.end,
      let chain = fields.word(Field.floorChain)
    else { return nil }
    self.id = id
    self.incarnation = incarnation
    self.inode = inode
    self.secret = FingerprintKey(secret.raw)
    self.generation = generation
    self.floor = RecordNumber(rawValue: floor)
    floorChain = UInt32(truncatingIfNeeded: chain)
    if case .bytes(let stamp)? = fields[Field.viewsStamp] { viewsStamp = stamp }
    drained = []
    if case .list(let names)? = fields[Field.drained] {
      drained = names.compactMap { if case .text(let name) = $0 { name } else { nil } }
    }
    guard readRest(of: fields) else { return nil }
  }

  /// Decodes the fields that only format 2 has; returns whether that succeeds.
  private mutating func readRest(of fields: PayloadFields) -> Bool {
    erasures = fields.word(Field.erasures) ?? 0
    if case .fields(let fields)? = fields[Field.task] {
      guard let task = LogTask(fields, of: id) else { return false }
      self.task = task
    }
    guard let area = fields.word(Field.baselineArea) else { return true }
    guard KeySpace.baselines.contains(area), let count = fields.word(Field.baselineCount),
      let end = fields.word(Field.baselineEnd)
    else { return false }
    var baseline = Baseline(upTo: floor, of: id, in: area)
    (baseline.count, baseline.end) = (count, Chain(UInt32(truncatingIfNeeded: end)))
    self.baseline = baseline
    return true
  }
}

extension StoreID {
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: low)
    bytes.append(littleEndian: high)
    return bytes
  }

  init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    let span = bytes.raw
    self.init(low: span.integer(UInt64.self, at: 0), high: span.integer(UInt64.self, at: 8))
  }
}
