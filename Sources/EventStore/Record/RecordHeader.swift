/// What stands in front of each record's payload: what it is about, and the means to prove it
/// whole.
public struct RecordHeader: Hashable, Sendable {
  /// How a payload's bytes are written.
  public enum Coding: UInt8, Hashable, Sendable {
    /// The tagged form, as it is.
    case plain = 0
  }

  /// What it is about.
  public var kind: EventKind
  /// The version of the kind's payload.
  public var version: UInt8
  /// Where it came from.
  public var origin: Event.Origin
  /// Whether its payload was erased, which only a record that had one can be.
  ///
  /// The rest of the header is as it was.
  public var isErased: Bool
  /// Whether it stands for records that compaction removed.
  public var isBaseline: Bool
  /// When it was recorded.
  public var recordedAt: Timestamp
  /// The login it happened under.
  public var login: Login?
  /// The record that led to it.
  public var cause: RecordNumber?
  /// The exchange with a server that carried it.
  public var exchange: RecordNumber?
  /// The thing it is about.
  public var entity: Fingerprint?
  /// How its payload is written.
  public var coding: Coding
  /// How many bytes its payload has, or had.
  public var payloadCount: Int
  /// The checksum of its payload.
  public var payloadChecksum: UInt32
  /// The checksum of every header from the first record's to this one.
  public var chain: UInt32

  /// A header with as much as it needs; the log computes the chain when it is appended.
  package init(
    kind: EventKind, version: UInt8, origin: Event.Origin = .fact, isErased: Bool = false,
    isBaseline: Bool = false, recordedAt: Timestamp, login: Login? = nil,
    cause: RecordNumber? = nil, exchange: RecordNumber? = nil, entity: Fingerprint? = nil,
    coding: Coding = .plain, payloadCount: Int, payloadChecksum: UInt32, chain: UInt32 = 0
  ) {
    self.kind = kind
    self.version = version
    self.origin = origin
    self.isErased = isErased
    self.isBaseline = isBaseline
    self.recordedAt = recordedAt
    self.login = login
    self.cause = cause
    self.exchange = exchange
    self.entity = entity
    self.coding = coding
    self.payloadCount = payloadCount
    self.payloadChecksum = payloadChecksum
    self.chain = chain
  }
}
