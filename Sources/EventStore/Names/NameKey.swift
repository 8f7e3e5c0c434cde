/// The keys that a ``NameIndex`` uses in its table: the number of a run or tail in the upper half,
/// what it is of it in the lower.
package enum NameKey {
  /// Where the catalog is: behind everything else, on the page that is written anyway.
  package static let catalog = UInt64.max

  /// A block of a run, or of the tail.
  package static func block(_ block: Int, of id: UInt32) -> UInt64 {
    UInt64(id) << 32 | UInt64(block)
  }

  /// The filter of a sheet of a run.
  package static func filter(_ sheet: Int, of id: UInt32) -> UInt64 {
    UInt64(id) << 32 | 1 << 31 | UInt64(sheet)
  }
}
