/// The state of a log by which its views are judged.
package struct LogStanding: Hashable, Sendable {
  /// The store.
  package var store: StoreID
  /// The copy of the store.
  package var incarnation: StoreID
  /// The last record that was compacted away.
  package var floor: RecordNumber
  /// The last record.
  package var last: RecordNumber
  /// The log's stamp for the views, if it has one.
  package var stamp: CleanStamp?

  /// Creates a standing from its parts.
  package init(
    store: StoreID, incarnation: StoreID, floor: RecordNumber, last: RecordNumber,
    stamp: CleanStamp? = nil
  ) {
    self.store = store
    self.incarnation = incarnation
    self.floor = floor
    self.last = last
    self.stamp = stamp
  }
}
