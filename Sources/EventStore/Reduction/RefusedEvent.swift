/// An event that a reducer could make nothing of.
///
/// It is left out, and tried again by the next version of the reducer.
public struct RefusedEvent: Hashable, Sendable, Codable {
  /// The record's number.
  public let number: RecordNumber
  /// Why.
  public let reason: String

  /// An event that was refused for a reason.
  public init(number: RecordNumber, reason: String) {
    self.number = number
    self.reason = reason
  }
}
