package import LMDB

/// What each event did to rows and lists, for as long as providers may ask.
///
/// Entries of this frame are in memory, above those that are being committed, above those that are.
/// It is not for two threads at once.
package struct Journal: ~Copyable {
  /// Its limits.
  package let limits: JournalLimits
  /// What there is of each stream.
  package internal(set) var catalog: JournalCatalog
  let base: JournalBase?
  /// The entries of this frame, by the streams' indices.
  var dirty: [JournalBuffer] = []
  /// Those that are being committed.
  var frozen: [JournalBuffer] = []
  /// The memory of the frame before.
  var spare: [JournalBuffer] = []
  var isFrozen = false
  /// How many bytes the entries of this frame take.
  package internal(set) var dirtyBytes = 0

  /// The most bytes of a stream's emptied buffer that are kept for the next frame.
  static let keptBytesMax = 1 << 20

  /// A journal over what is committed of it.
  ///
  /// - Throws: ``LMDBError``; `corrupted` where the catalog isn't what was written.
  package init(
    over base: JournalBase? = nil, _ limits: JournalLimits = JournalLimits()
  ) throws(LMDBError) {
    self.base = base
    self.limits = limits
    catalog = try base?.catalog() ?? JournalCatalog()
  }

  /// Makes a stream known that has none but later entries than those of an event: a view that was
  /// just built, or made anew.
  ///
  /// Nothing before is told of it any more.
  package mutating func begin(_ stream: JournalStream, after number: UInt64) {
    let index = index(of: stream)
    catalog.streams[index].floor = max(catalog.streams[index].floor, number)
  }

  /// The number behind which a stream is complete, or `nil` where it is not known.
  package func floor(of stream: JournalStream) -> UInt64? {
    catalog.index(of: stream).map { catalog.streams[$0].floor }
  }

  private mutating func index(of stream: JournalStream) -> Int {
    if let index = catalog.index(of: stream) { return index }
    return catalog.add(.init(stream: stream, floor: catalog.last, dropped: 0, byteCount: 0))
  }

  /// Calls `body` with each block of a stream that holds events behind a number, in their order.
  ///
  /// - Throws: ``LMDBError``; `corrupted` where a block isn't what was written.
  func forEachBlock(
    of stream: JournalStream, after number: UInt64,
    _ body: (inout JournalBlock) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    var seen = number
    try base?.forEachBlock(of: stream, after: number) { block, last throws(LMDBError) in
      seen = last
      try body(&block)
    }
    guard let index = catalog.index(of: stream) else { return }
    if index < frozen.count { try frozen[index].forEachBlock(of: stream, after: seen, body) }
    if index < dirty.count { try dirty[index].forEachBlock(of: stream, after: seen, body) }
  }
}
