/// A point of the log: a record, and the chain at it, which proves what came before.
package struct LogPoint: Hashable, Sendable {
  /// The record's number, or 0 before the first.
  package var number: RecordNumber
  /// The chain at the record.
  package var chain: UInt32

  /// Creates the point after a record.
  package init(number: RecordNumber, chain: UInt32) {
    self.number = number
    self.chain = chain
  }
}
