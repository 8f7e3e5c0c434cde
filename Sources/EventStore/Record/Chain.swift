import LMDB

/// The running checksum of all headers, which ties each record to all before it.
///
/// It covers each record's number and header, except the chain itself and the mark of an erased
/// payload, so that erasing leaves it intact.
package struct Chain: Hashable, Sendable {
  /// The checksum so far.
  package var value: UInt32

  /// Creates a chain with a value.
  package init(_ value: UInt32) { self.value = value }

  /// Creates the chain of a new log, which differs from store to store.
  package init(of store: StoreID) { value = Checksum.of(store.bytes.raw) }

  /// Returns the chain after one more record, whose bytes begin with the given header.
  ///
  /// The header's own chain field is not read.
  @inline(__always)
  package func extended(by number: RecordNumber, _ header: RawSpan, count: Int) -> Chain {
    let covered = header.extracting(first: count - 4)
    guard header.byte(at: HeaderFormat.Offset.flags) & HeaderFormat.Flag.erased != 0 else {
      return Chain(Checksum.of(number.rawValue, covered, continuing: value))
    }
    var bytes = covered.array
    bytes[HeaderFormat.Offset.flags] &= ~HeaderFormat.Flag.erased
    return Chain(Checksum.of(number.rawValue, bytes.raw, continuing: value))
  }
}
