/// The last record that is in the views, and the log's chain at it, which proves what came before.
package struct Applied: Hashable, Sendable {
  /// The record's number; 0 where none is.
  package var number: RecordNumber
  /// The chain there.
  package var chain: UInt32

  /// A record and the chain at it.
  package init(number: RecordNumber, chain: UInt32) {
    self.number = number
    self.chain = chain
  }
}
