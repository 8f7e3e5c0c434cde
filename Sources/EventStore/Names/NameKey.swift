/// The keys of a ``NameIndex`` in its table: the number of a run or tail in the upper half, and the
/// part of it in the lower.
package enum NameKey {
  /// The key of the catalog: after everything else, on the page that is written anyway.
  package static let catalog = UInt64.max

  /// Returns the key of a block of a run, or of the tail.
  package static func block(_ block: Int, of id: UInt32) -> UInt64 {
    UInt64(id) << 32 | UInt64(block)
  }

  /// Returns the key of the filter of a run's sheet.
  package static func filter(_ sheet: Int, of id: UInt32) -> UInt64 {
    UInt64(id) << 32 | 1 << 31 | UInt64(sheet)
  }
}
