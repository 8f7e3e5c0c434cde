import LMDB

/// An event that a reducer could make nothing of, or a record that is damaged or was lost.
///
/// It is left out, and tried again by the next version of the reducer.
public struct RefusedEvent: Hashable, Sendable, Codable {
  /// The record's number.
  public let number: RecordNumber
  /// Why.
  public let reason: String

  /// The reason of an event that is left out because reducing it ended the process, twice.
  public static let endedProcess = "The process ended twice while it was being reduced."

  /// The reason of a record that stands for one that was lost.
  static let lost = "It was lost: a salvage could not recover it."

  /// An event that was refused for a reason.
  public init(number: RecordNumber, reason: String) {
    self.number = number
    self.reason = reason
  }
}

/// What is kept under its number: a checksum of that and all that follows, in four bytes, and the
/// reason in UTF-8.
extension RefusedEvent {
  /// The bytes it is kept as.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes += reason.utf8
    bytes.store(integer: Checksum.of(number.rawValue, bytes.raw.extracting(4...)), at: 0)
    return bytes
  }

  /// Reads the bytes again; `nil` where they are not those that were written.
  package init?(_ number: RecordNumber, _ bytes: RawSpan) {
    guard bytes.byteCount >= 4 else { return nil }
    let reason = bytes.extracting(droppingFirst: 4)
    guard bytes.integer(UInt32.self, at: 0) == Checksum.of(number.rawValue, reason) else {
      return nil
    }
    self.init(number: number, reason: String(decoding: reason.array, as: UTF8.self))
  }
}
