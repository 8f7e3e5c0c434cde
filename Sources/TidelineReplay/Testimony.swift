public import EventStore
import Tideline

/// The content of a record in words, with its origin.
public struct Testimony: Sendable, Hashable {
  /// The record.
  public let record: Record
  /// The content of the record, in words.
  public let text: String
  /// The record that led to it, and its content in words.
  public let cause: (number: RecordNumber, text: String)?
  /// The exchange with the server that carried it, and its content in words.
  public let exchange: (number: RecordNumber, text: String)?

  /// Creates the testimony of a record of a log.
  ///
  /// A cause or exchange that can't be read is only given by number.
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

  /// The number of the record.
  public var number: RecordNumber { record.number }

  /// Whether both testimonies are of the same record.
  public static func == (a: Testimony, b: Testimony) -> Bool { a.record == b.record }

  /// Hashes the record.
  public func hash(into hasher: inout Hasher) { hasher.combine(record) }
}

extension Testimony: CustomStringConvertible {
  /// The record in lines: its content, then its cause and the exchange that carried it.
  public var description: String {
    let origin = record.header.origin == .fact ? "fact" : "intent"
    var lines = ["#\(number) \(record.header.recordedAt) \(origin): \(text)"]
    if let cause { lines.append("    because of #\(cause.number): \(cause.text)") }
    if let exchange { lines.append("    carried by #\(exchange.number): \(exchange.text)") }
    return lines.joined(separator: "\n")
  }
}
