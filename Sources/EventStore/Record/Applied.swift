/// The last record in the views, and the log's chain at it, which proves what came before.
package struct Applied: Hashable, Sendable {
  /// The record's number, or 0 if the views hold none.
  package var number: RecordNumber
  /// The chain at the record.
  package var chain: UInt32

  /// Creates a place from a record and its chain.
  package init(number: RecordNumber, chain: UInt32) {
    self.number = number
    self.chain = chain
  }
}
