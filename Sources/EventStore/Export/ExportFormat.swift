/// What writer and reader of exported logs agree on.
///
/// See <doc:ExportFormat>.
package enum ExportFormat {
  /// The version that is written, and the newest that is read.
  static let version: UInt64 = 1
  /// The value of the first member of the first line.
  static let magic = "log"
  /// The greatest number of a record that is read: as many more can be appended behind it.
  static let numberMax = RecordNumber(rawValue: 1 << 47)
  /// The greatest account and epoch that are read: another can be begun behind them.
  static let loginMax = UInt32.max - 1
  /// The bytes that a line may have.
  static let lineBytesMax = lineBytesMax(payloadBytes: Log.payloadBytesMax)

  /// The bytes that the line of a record with so long a payload may have: ten for each byte of it,
  /// its braces, and the header.
  ///
  /// No part of a payload takes more than ten. Around its value a field has a number in quotes, a
  /// colon and a comma: 5, 8, 10, 12 or 13 bytes for a tag of 1, 2, 3, 4 or 5. So of the ten for
  /// each byte of a tag 5 are left for the value at least, and with a length, which is a byte or
  /// more, 15:
  ///
  /// - `false` takes 5, and `true` and `null` less.
  /// - An integer takes at most 3 for each byte of it.
  /// - A double takes 29, for 8 bytes.
  /// - A text takes 2, and at most 6 for each byte of it.
  /// - Bytes take 13, and at most 4 for each of them.
  /// - Fields and lists take 2, and what is in them.
  ///
  /// An item of a list takes less, as it has no number. What is no fields takes as much as bytes.
  package static func lineBytesMax(payloadBytes count: Int) -> Int { 10 * count + 4096 }

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
