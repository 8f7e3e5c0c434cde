/// The header before each record's payload: its description, and the means to prove it intact.
public struct RecordHeader: Hashable, Sendable {
  /// The encoding of a payload's bytes.
  public enum Coding: UInt8, Hashable, Sendable {
    /// The plain tagged form.
    case plain = 0
  }

  /// The kind of the record.
  public var kind: EventKind
  /// The version of the kind's payload.
  public var version: UInt8
  /// The record's origin.
  public var origin: Event.Origin
  /// Whether the payload was erased, which is possible only for a record that had one.
  ///
  /// The rest of the header is unchanged.
  public var isErased: Bool
  /// Whether the record stands for others that compaction removed.
  public var isBaseline: Bool
  /// The time of recording.
  public var recordedAt: Timestamp
  /// The login under which the event happened.
  public var login: Login?
  /// The record that led to this one.
  public var cause: RecordNumber?
  /// The exchange with a server that carried the event.
  public var exchange: RecordNumber?
  /// The entity that the record is about.
  public var entity: Fingerprint?
  /// The encoding of the payload.
  public var coding: Coding
  /// The number of bytes that the payload has, or had.
  public var payloadCount: Int
  /// The checksum of the payload.
  public var payloadChecksum: UInt32
  /// The running checksum of every header from the first record's to this one.
  public var chain: UInt32

  /// Creates a header with the fields it needs; the log computes the chain when it appends it.
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
