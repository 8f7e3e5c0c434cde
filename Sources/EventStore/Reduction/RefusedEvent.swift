/// An event that a reducer could make nothing of.
///
/// It is left out, and tried again by the next version of the reducer.
public struct RefusedEvent: Hashable, Sendable, Codable {
  /// The record's number.
  public let number: RecordNumber
  /// Why.
  public let reason: String

  /// The reason of an event that is left out because reducing it ended the process, twice.
  public static let endedProcess = "The process ended twice while it was being reduced."

  /// An event that was refused for a reason.
  public init(number: RecordNumber, reason: String) {
    self.number = number
    self.reason = reason
  }
}
