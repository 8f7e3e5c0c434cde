import LMDB

/// What a store knows of itself, kept beside the records under number 0.
///
/// See <doc:LogFormat>.
struct StoreRecord: Hashable, Sendable {
  /// The newest format that this version reads and writes.
  static let format: UInt32 = 1
  /// The key it stands under, which no record has.
  static let key: UInt64 = 0

  /// The store, which copies of it share.
  var id: StoreID
  /// This copy of the store.
  var incarnation: StoreID
  /// The file's number in its file system, by which a copy made behind our back is noticed.
  var inode: UInt64
  /// The secret that fingerprints are made with.
  var secret: FingerprintKey
  /// How often the log was rewritten.
  var generation: UInt64
  /// The last record that was compacted away.
  var floor: RecordNumber
  /// The chain at the floor.
  var floorChain: UInt32
  /// What the views were last synced clean at, in their own words.
  var viewsStamp: [UInt8]?
  /// Files of the spool that were drained and may not be removed yet.
  var drained: [String]

  /// A new store.
  init(inode: UInt64, using generator: inout some RandomNumberGenerator) {
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

  /// Where reading begins: the last record that isn't there, and the chain at it.
  var base: LogBase { LogBase(number: floor, chain: Chain(floorChain)) }
}

/// What a log's first record stands on: the last number that is not there, and the chain at it.
struct LogBase: Hashable, Sendable {
  let number: RecordNumber
  let chain: Chain
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
  }

  /// Why bytes are not a store's record.
  enum Failure: Error, Hashable {
    case notAStore
    case newerFormat(Int)
    case damaged
  }

  /// The bytes it is kept as: magic, format, checksum, and a payload.
  var bytes: [UInt8] {
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
    }
    var bytes = Self.magic
    bytes.append(littleEndian: Self.format)
    bytes.append(littleEndian: Checksum.of(payload.rawSpan))
    return bytes + payload
  }

  /// Reads the bytes again.
  init(_ bytes: RawSpan) throws(Failure) {
    guard bytes.byteCount >= Self.headerCount,
      bytes.extracting(first: Self.magic.count).equals(Self.magic.rawSpan)
    else { throw .notAStore }
    let format = bytes.integer(UInt32.self, at: 8)
    guard format <= Self.format else { throw .newerFormat(Int(format)) }
    let payload = bytes.extracting(droppingFirst: Self.headerCount)
    guard Checksum.of(payload) == bytes.integer(UInt32.self, at: 12) else { throw .damaged }
    guard let fields = try? PayloadFields(decoding: payload), let record = StoreRecord(fields)
    else {
      throw .damaged
    }
    self = record
  }

  private init?(_ fields: PayloadFields) {
    guard case .bytes(let id)? = fields[Field.id], let id = StoreID(bytes: id),
      case .bytes(let incarnation)? = fields[Field.incarnation],
      let incarnation = StoreID(bytes: incarnation),
      case .integer(let inode)? = fields[Field.inode],
      case .bytes(let secret)? = fields[Field.secret], secret.count == FingerprintKey.byteCount,
      case .integer(let generation)? = fields[Field.generation],
      case .integer(let floor)? = fields[Field.floor],
      case .integer(let chain)? = fields[Field.floorChain]
    else { return nil }
    self.id = id
    self.incarnation = incarnation
    self.inode = UInt64(bitPattern: inode)
    self.secret = FingerprintKey(secret.rawSpan)
    self.generation = UInt64(bitPattern: generation)
    self.floor = RecordNumber(rawValue: UInt64(bitPattern: floor))
    floorChain = UInt32(truncatingIfNeeded: chain)
    if case .bytes(let stamp)? = fields[Field.viewsStamp] { viewsStamp = stamp }
    drained = []
    if case .list(let names)? = fields[Field.drained] {
      drained = names.compactMap { if case .text(let name) = $0 { name } else { nil } }
    }
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
    let span = bytes.rawSpan
    self.init(low: span.integer(UInt64.self, at: 0), high: span.integer(UInt64.self, at: 8))
  }
}
