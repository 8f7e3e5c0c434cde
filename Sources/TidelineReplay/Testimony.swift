public import EventStore
import Tideline

/// What a record has to say, with where it came from.
public struct Testimony: Sendable, Hashable {
  /// The record.
  public let record: Record
  /// What it says, in words.
  public let text: String
  /// The record that led to it, and what that says.
  public let cause: (number: RecordNumber, text: String)?
  /// The exchange with the server that carried it, and what that says.
  public let exchange: (number: RecordNumber, text: String)?

  /// The testimony of a record of a log.
  ///
  /// Where a cause or exchange can't be read it is told by its number alone.
  ///
  /// - Complexity: O(log n)
  public init(_ record: Record, of log: Log) {
    self.record = record
    text = EventCatalog.line(of: record)
    cause = Self.other(record.header.cause, of: log)
    exchange = Self.other(record.header.exchange, of: log)
  }

  private static func other(
    _ number: RecordNumber?, of log: Log
  ) -> (number: RecordNumber, text: String)? {
    guard let number else { return nil }
    let record = try? log.read { try $0.record(number) }
    return (number, (record ?? nil).map { EventCatalog.line(of: $0) } ?? "not there")
  }

  /// Its number.
  public var number: RecordNumber { record.number }

  /// Whether two are of the same record.
  public static func == (a: Testimony, b: Testimony) -> Bool { a.record == b.record }

  /// Takes in the record.
  public func hash(into hasher: inout Hasher) { hasher.combine(record) }
}

extension Testimony: CustomStringConvertible {
  /// The record in lines: what it says, then what led to it and what carried it.
  public var description: String {
    let origin = record.header.origin == .fact ? "fact" : "intent"
    var lines = ["#\(number) \(record.header.recordedAt) \(origin): \(text)"]
    if let cause { lines.append("    because of #\(cause.number): \(cause.text)") }
    if let exchange { lines.append("    carried by #\(exchange.number): \(exchange.text)") }
    return lines.joined(separator: "\n")
  }
}
