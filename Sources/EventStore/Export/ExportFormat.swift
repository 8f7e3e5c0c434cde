/// The constants shared by the writer and the reader of exported logs.
///
/// See <doc:ExportFormat>.
package enum ExportFormat {
  /// The version that is written, which is also the newest that can be read.
  static let version: UInt64 = 1
  /// The value of the first member of the first line.
  static let magic = "log"
  /// The greatest record number that is accepted: as many more records can be appended after it.
  static let numberMax = RecordNumber(rawValue: 1 << 47)
  /// The maximum number of bytes in a line.
  static let lineBytesMax = lineBytesMax(payloadBytes: Log.payloadBytesMax)

  /// Returns the maximum number of bytes in the line of a record: ten for each byte of the payload,
  /// plus its braces and the header.
  ///
  /// No part of a payload takes more than ten bytes for each of its own. A field adds a quoted
  /// number, a colon and a comma to its value: 5, 8, 10, 12 or 13 bytes for a tag of 1, 2, 3, 4 or
  /// 5 bytes. Of the ten for each tag byte, at least 5 therefore remain for the value, or 15 if it
  /// has a length, which is at least one byte:
  ///
  /// - `false` takes 5, and `true` and `null` take less.
  /// - An integer takes at most 3 for each of its bytes.
  /// - A double takes 29, for 8 bytes.
  /// - A text takes 2, plus at most 6 for each of its bytes.
  /// - Bytes take 13, plus at most 4 for each byte.
  /// - Fields and lists take 2, plus their content.
  ///
  /// A list item takes less, because it has no number. A payload that is not fields takes as much
  /// as bytes.
  package static func lineBytesMax(payloadBytes count: Int) -> Int { 10 * count + 4096 }

  /// The names of JSON members.
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

/// The first line of an exported log, before its records.
struct ExportHead: Hashable, Sendable {
  /// The id of the store.
  var id: StoreID
  /// The secret used to make fingerprints.
  var secret: FingerprintKey
  /// The log's generation, which counts its rewrites.
  var generation: UInt64 = 1
  /// The number of times that payloads were erased.
  var erasures: UInt64 = 0
  /// The number before that of the first record outside the baseline.
  var floor: RecordNumber
  /// The chain at the floor.
  var chain: UInt32
  /// Whether the records of a baseline come first.
  var hasBaseline: Bool
  /// Whether texts were replaced.
  var isRedacted: Bool
}

/// The last line of an exported log, against which its records are verified.
public struct ExportManifest: Hashable, Sendable {
  /// The number of records, including those of the baseline.
  public internal(set) var records: UInt64 = 0
  /// The number of the last record.
  public internal(set) var last: RecordNumber = 0
  /// The number of records that stand for unreadable ones.
  public internal(set) var lost: UInt64 = 0
  /// The size of all payloads, as stored in a log.
  public internal(set) var payloadBytes: UInt64 = 0
  /// The chain at the last record.
  public internal(set) var chain: UInt32 = 0
  /// The CRC-32C of all lines before this one.
  public internal(set) var checksum: UInt32 = 0
}
