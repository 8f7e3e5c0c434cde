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
  /// Whether its payload was erased.
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
}
