/// What of a log its views are judged by.
package struct LogStanding: Hashable, Sendable {
  /// The store.
  package var store: StoreID
  /// The copy of it.
  package var incarnation: StoreID
  /// The last record that was compacted away.
  package var floor: RecordNumber
  /// The last record.
  package var last: RecordNumber
  /// The log's word on the views, where it gives any.
  package var stamp: CleanStamp?

  /// A log of these parts.
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
