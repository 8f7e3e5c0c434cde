/// What writer and reader of exported logs agree on.
///
/// See <doc:ExportFormat>.
enum ExportFormat {
  /// The version that is written, and the newest that is read.
  static let version: UInt64 = 1
  /// The value of the first member of the first line.
  static let magic = "log"
  /// The greatest number of a record that is read: as many more can be appended behind it.
  static let numberMax = RecordNumber(rawValue: 1 << 47)
  /// The greatest account and epoch that are read: another can be begun behind them.
  static let loginMax = UInt32(Int32.max)
  /// The bytes that a line may have: a payload of which each byte is escaped, and its header.
  static let lineBytesMax = 6 * Log.payloadBytesMax + 4096

  /// The names of members.
  enum Name {
    static let tideline = "tideline"
    static let version = "version"
    static let store = "store"
    static let secret = "secret"
    static let generation = "generation"
    static let erasures = "erasures"
    static let floor = "floor"
    static let chain = "chain"
    static let baseline = "baseline"
    static let isRedacted = "redacted"

    static let number = "number"
    static let kind = "kind"
    static let origin = "origin"
    static let recordedAt = "at"
    static let login = "login"
    static let cause = "cause"
    static let exchange = "exchange"
    static let entity = "entity"
    static let erased = "erased"
    static let payload = "payload"

    static let manifest = "manifest"
    static let records = "records"
    static let last = "last"
    static let lost = "lost"
    static let payloadBytes = "payloadBytes"
    static let checksum = "checksum"
  }
}

/// What stands before the records of an exported log.
struct ExportHead: Hashable, Sendable {
  /// The store.
  var id: StoreID
  /// The secret that fingerprints are made with.
  var secret: FingerprintKey
  /// How often the log was rewritten.
  var generation: UInt64 = 1
  /// How often payloads were erased.
  var erasures: UInt64 = 0
  /// The number before the first record, those of a baseline aside.
  var floor: RecordNumber
  /// The chain at the floor.
  var chain: UInt32
  /// Whether records of a baseline come first.
  var hasBaseline: Bool
  /// Whether texts were replaced.
  var isRedacted: Bool
}

/// What stands behind the records of an exported log, to hold them to.
public struct ExportManifest: Hashable, Sendable {
  /// How many records there are, those of a baseline included.
  public internal(set) var records: UInt64 = 0
  /// The number of the last.
  public internal(set) var last: RecordNumber = 0
  /// How many of them stand for such as could not be read.
  public internal(set) var lost: UInt64 = 0
  /// The bytes of all payloads, as a log holds them.
  public internal(set) var payloadBytes: UInt64 = 0
  /// The chain at the last record.
  public internal(set) var chain: UInt32 = 0
  /// The CRC-32C of all lines before this one.
  public internal(set) var checksum: UInt32 = 0
}
