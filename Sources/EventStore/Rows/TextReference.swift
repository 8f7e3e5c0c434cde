import LMDB

/// A reference to text or bytes that stay in the log, with a digest of the content.
///
/// Comparing rows ignores the place of the content, which may change after a rebuild or when the
/// same text arrives again.
public struct TextReference: FieldValue, Codable {
  /// The record that holds the content.
  public let record: RecordNumber
  /// The number of the field in the record's payload.
  public let field: UInt16
  /// The digest of the content.
  public let digest: UInt64

  /// The greatest record number that a reference can hold.
  public static let recordMax = RecordNumber(rawValue: (1 << 48) - 1)

  /// Creates a reference to a field of a record.
  ///
  /// - Precondition: The record is not after ``recordMax``.
  public init(record: RecordNumber, field: UInt16, digest: UInt64) {
    precondition(record <= Self.recordMax, "record \(record) is beyond what a reference can name")
    self.record = record
    self.field = field
    self.digest = digest
  }

  /// Creates a reference to a field of a record that holds these bytes.
  package init(record: RecordNumber, field: UInt16, content: RawSpan) {
    self.init(record: record, field: field, digest: Mixer.digest(content, seed: 1))
  }

  /// Decodes an untrusted reference.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    record = try container.decode(RecordNumber.self, forKey: .record)
    field = try container.decode(UInt16.self, forKey: .field)
    digest = try container.decode(UInt64.self, forKey: .digest)
    guard record <= Self.recordMax else {
      throw DecodingError.dataCorruptedError(
        forKey: .record, in: container, debugDescription: "a record number of over 48 bits")
    }
  }

  /// A reference.
  @inlinable public static var fieldKind: FieldKind { .reference }

  /// Reads the reference.
  public init?(stored: StoredValue) {
    record = RecordNumber(rawValue: stored.place >> 16)
    field = UInt16(truncatingIfNeeded: stored.place)
    digest = stored.word
  }

  /// Calls `body` with the digest and the place.
  public func withStored(_ body: (StoredValue) -> Void) {
    body(StoredValue(word: digest, place: record.rawValue << 16 | UInt64(field)))
  }
}
