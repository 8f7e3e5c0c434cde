import LMDB

/// The byte layout of a header.
///
/// See <doc:LogFormat>.
enum HeaderFormat {
  /// The version of the layout, each header's first byte.
  static let version: UInt8 = 1

  /// The bits of the second byte.
  enum Flag {
    static let intent: UInt8 = 1 << 0
    static let erased: UInt8 = 1 << 1
    static let baseline: UInt8 = 1 << 2
    static let login: UInt8 = 1 << 3
    static let cause: UInt8 = 1 << 4
    static let exchange: UInt8 = 1 << 5
    static let entity: UInt8 = 1 << 6
    /// The flags of the eight-byte fields that may be present, in the order of the fields.
    static let fields = login | cause | exchange | entity
    static let reserved: UInt8 = 1 << 7
  }

  /// The offsets of the fixed fields.
  enum Offset {
    static let flags = 1
    static let kind = 2
    static let version = 4
    static let coding = 5
    static let reserved = 6
    static let recordedAt = 8
    static let payloadCount = 16
    static let payloadChecksum = 20
    static let fields = 24
  }

  /// The number of bytes of a header without optional fields: the fixed ones and the chain.
  static let countMin = 28

  /// The number of bytes of a header with every optional field.
  static let countMax = countMin + 8 * Flag.fields.nonzeroBitCount

  /// Returns the number of bytes of a header with these flags.
  @inline(__always)
  static func count(flags: UInt8) -> Int {
    // This sums the four bits, because not every target processor can count them at once.
    let fields = Int(flags >> 3)
    return countMin + 8 * ((fields & 1) + (fields >> 1 & 1) + (fields >> 2 & 1) + (fields >> 3 & 1))
  }
}

/// The damage to a record's bytes.
public enum RecordDamage: Hashable, Sendable {
  /// The bytes end before the header does, or don't match the payload length that it announces.
  case cutOff
  /// The header is not in a format that this version knows.
  case unknownFormat
  /// The payload doesn't match its checksum.
  case payload
  /// The header doesn't match its chain, or doesn't follow the previous record.
  case chain
  /// The record doesn't exist.
  case absent
}

extension RecordHeader {
  /// Returns the length of the header that `bytes` begin with, or 0 if they can't begin with one.
  @inline(__always)
  static func count(in bytes: RawSpan) -> Int {
    guard bytes.byteCount >= HeaderFormat.countMin, bytes.byte(at: 0) == HeaderFormat.version
    else { return 0 }
    let flags = bytes.byte(at: HeaderFormat.Offset.flags)
    let count = HeaderFormat.count(flags: flags)
    let isKnown =
      bytes.byteCount >= count && flags & HeaderFormat.Flag.reserved == 0
      && bytes.integer(UInt16.self, at: HeaderFormat.Offset.reserved) == 0
      && bytes.byte(at: HeaderFormat.Offset.coding) == Coding.plain.rawValue
    return isKnown ? count : 0
  }

  /// Decodes a header from the first bytes of a record, or returns `nil` if they can't be one.
  package init?(_ bytes: RawSpan) {
    let count = Self.count(in: bytes)
    guard count > 0 else { return nil }
    let flags = bytes.byte(at: HeaderFormat.Offset.flags)
    coding = .plain
    kind = EventKind(rawValue: bytes.integer(UInt16.self, at: HeaderFormat.Offset.kind))
    version = bytes.byte(at: HeaderFormat.Offset.version)
    origin = flags & HeaderFormat.Flag.intent == 0 ? .fact : .intent
    isErased = flags & HeaderFormat.Flag.erased != 0
    isBaseline = flags & HeaderFormat.Flag.baseline != 0
    recordedAt = Timestamp(
      rawValue: bytes.integer(Int64.self, at: HeaderFormat.Offset.recordedAt))
    payloadCount = Int(bytes.integer(UInt32.self, at: HeaderFormat.Offset.payloadCount))
    payloadChecksum = bytes.integer(UInt32.self, at: HeaderFormat.Offset.payloadChecksum)
    chain = bytes.integer(UInt32.self, at: count - 4)
    var fields = OptionalFields(flags: flags)
    login = fields.next(HeaderFormat.Flag.login, bytes).map(Login.init(packed:))
    cause = fields.next(HeaderFormat.Flag.cause, bytes).map(RecordNumber.init(rawValue:))
    exchange = fields.next(HeaderFormat.Flag.exchange, bytes).map(RecordNumber.init(rawValue:))
    entity = fields.next(HeaderFormat.Flag.entity, bytes).map(Fingerprint.init(rawValue:))
  }

  /// Iterates over the eight-byte fields that the flags announce.
  private struct OptionalFields {
    let flags: UInt8
    var offset = HeaderFormat.Offset.fields

    init(flags: UInt8) { self.flags = flags }

    @inline(__always)
    mutating func next(_ flag: UInt8, _ bytes: RawSpan) -> UInt64? {
      guard flags & flag != 0 else { return nil }
      defer { offset += 8 }
      return bytes.integer(UInt64.self, at: offset)
    }
  }

  /// The flags as encoded.
  var flags: UInt8 {
    (origin == .intent ? HeaderFormat.Flag.intent : 0)
      | (isErased ? HeaderFormat.Flag.erased : 0)
      | (isBaseline ? HeaderFormat.Flag.baseline : 0)
      | (login != nil ? HeaderFormat.Flag.login : 0)
      | (cause != nil ? HeaderFormat.Flag.cause : 0)
      | (exchange != nil ? HeaderFormat.Flag.exchange : 0)
      | (entity != nil ? HeaderFormat.Flag.entity : 0)
  }

  /// The number of bytes that the header takes.
  public var byteCount: Int { HeaderFormat.count(flags: flags) }

  /// Writes the header into `bytes` from `start` on, where there must be room for it.
  package func write(to bytes: inout MutableRawSpan, at start: Int) {
    bytes.store(integer: HeaderFormat.version, at: start)
    bytes.store(integer: flags, at: start + HeaderFormat.Offset.flags)
    bytes.store(integer: kind.rawValue, at: start + HeaderFormat.Offset.kind)
    bytes.store(integer: version, at: start + HeaderFormat.Offset.version)
    bytes.store(integer: coding.rawValue, at: start + HeaderFormat.Offset.coding)
    bytes.store(integer: UInt16(0), at: start + HeaderFormat.Offset.reserved)
    bytes.store(integer: recordedAt.rawValue, at: start + HeaderFormat.Offset.recordedAt)
    bytes.store(integer: UInt32(payloadCount), at: start + HeaderFormat.Offset.payloadCount)
    bytes.store(integer: payloadChecksum, at: start + HeaderFormat.Offset.payloadChecksum)
    var offset = start + HeaderFormat.Offset.fields
    offset = Self.store(login?.packed, in: &bytes, at: offset)
    offset = Self.store(cause?.rawValue, in: &bytes, at: offset)
    offset = Self.store(exchange?.rawValue, in: &bytes, at: offset)
    offset = Self.store(entity?.rawValue, in: &bytes, at: offset)
    bytes.store(integer: chain, at: offset)
  }

  /// Adds to the numbers in some fields of an encoded header; so an index in a batch becomes the
  /// number of a record.
  static func move(_ fields: UInt8, in bytes: inout MutableRawSpan, by distance: UInt64) {
    let flags = bytes.bytes.byte(at: HeaderFormat.Offset.flags)
    var (offset, rest) = (HeaderFormat.Offset.fields, flags & HeaderFormat.Flag.fields)
    while rest != 0 {
      let field = rest & ~(rest - 1)
      rest &= rest - 1
      if fields & field != 0 {
        let number = bytes.bytes.integer(UInt64.self, at: offset)
        bytes.store(integer: number &+ distance, at: offset)
      }
      offset += 8
    }
  }

  /// Writes a field if it is present; returns the offset of the next one.
  @inline(__always)
  private static func store(
    _ field: UInt64?, in bytes: inout MutableRawSpan, at offset: Int
  ) -> Int {
    guard let field else { return offset }
    bytes.store(integer: field, at: offset)
    return offset + 8
  }
}

extension Login {
  /// Both numbers in eight bytes.
  var packed: UInt64 { UInt64(account) | UInt64(epoch) << 32 }

  init(packed: UInt64) {
    self.init(account: UInt32(truncatingIfNeeded: packed), epoch: UInt32(packed >> 32))
  }
}
