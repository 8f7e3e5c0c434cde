import LMDB

/// The running checksum of all headers, which ties each record to all before it.
///
/// It covers each record's number and its header, but neither the chain itself nor the mark that
/// the payload was erased, so that erasing leaves it whole.
package struct Chain: Hashable, Sendable {
  /// The checksum so far.
  package var value: UInt32

  /// The chain of that value.
  package init(_ value: UInt32) { self.value = value }

  /// The chain of a new log, which differs from store to store.
  package init(of store: StoreID) { value = Checksum.of(store.bytes.raw) }

  /// The chain after one more record, whose bytes begin with the header that is given.
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
