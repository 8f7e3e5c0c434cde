import LMDB

/// An event that a reducer refused, or a record that is damaged or lost.
///
/// The event is left out and tried again by the next version of the reducer.
public struct RefusedEvent: Hashable, Sendable, Codable {
  /// The record's number.
  public let number: RecordNumber
  /// The reason.
  public let reason: String

  /// The reason for leaving out an event because reducing it ended the process twice.
  public static let endedProcess = "The process ended twice while it was being reduced."

  /// The reason for a record that stands in for a lost one.
  static let lost = "It was lost: a salvage could not recover it."

  /// Creates a refused event with a reason.
  public init(number: RecordNumber, reason: String) {
    self.number = number
    self.reason = reason
  }
}

/// The stored form: a four-byte checksum of the record's number and the following bytes, then the
/// reason in UTF-8.
extension RefusedEvent {
  /// The bytes to store.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes += reason.utf8
    bytes.store(integer: Checksum.of(number.rawValue, bytes.raw.extracting(4...)), at: 0)
    return bytes
  }

  /// Decodes stored bytes; returns `nil` if they are damaged.
  package init?(_ number: RecordNumber, _ bytes: RawSpan) {
    guard bytes.byteCount >= 4 else { return nil }
    let reason = bytes.extracting(droppingFirst: 4)
    guard bytes.integer(UInt32.self, at: 0) == Checksum.of(number.rawValue, reason) else {
      return nil
    }
    self.init(number: number, reason: String(decoding: reason.array, as: UTF8.self))
  }
}
