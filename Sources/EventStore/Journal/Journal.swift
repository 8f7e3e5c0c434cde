package import LMDB

/// The changes to rows and lists by each event, for as long as providers may ask for them.
///
/// The entries of this frame are in memory, on top of those being committed, on top of those
/// already committed. Not for use by two threads at once.
package struct Journal: ~Copyable {
  /// The journal's limits.
  package let limits: JournalLimits
  /// The state of all streams.
  package internal(set) var catalog: JournalCatalog
  let base: JournalBase?
  /// The entries of this frame, by stream index.
  var dirty: [JournalBuffer] = []
  /// The entries being committed.
  var frozen: [JournalBuffer] = []
  /// The memory of the previous frame.
  var spare: [JournalBuffer] = []
  var isFrozen = false
  /// The size of this frame's entries in bytes.
  package internal(set) var dirtyBytes = 0

  /// The maximum size, in bytes, of a stream's emptied buffer that is kept for the next frame.
  static let keptBytesMax = 1 << 20

  /// Opens a journal over its committed part.
  ///
  /// - Throws: ``LMDBError``; `corrupted` if the catalog differs from what was written.
  package init(
    over base: JournalBase? = nil, _ limits: JournalLimits = JournalLimits()
  ) throws(LMDBError) {
    self.base = base
    self.limits = limits
    catalog = try base?.catalog() ?? JournalCatalog()
  }

  /// Adds a stream that only has entries after an event, as for a view that was just built or
  /// rebuilt.
  ///
  /// Earlier events of the stream are no longer reported.
  package mutating func begin(_ stream: JournalStream, after number: UInt64) {
    let index = index(of: stream)
    catalog.streams[index].floor = max(catalog.streams[index].floor, number)
  }

  /// Returns the number after which a stream is complete, or `nil` if the stream is unknown.
  package func floor(of stream: JournalStream) -> UInt64? {
    catalog.index(of: stream).map { catalog.streams[$0].floor }
  }

  private mutating func index(of stream: JournalStream) -> Int {
    if let index = catalog.index(of: stream) { return index }
    return catalog.add(.init(stream: stream, floor: catalog.last, dropped: 0, byteCount: 0))
  }

  /// Calls `body` with each block of a stream that contains events after a number, in order.
  ///
  /// - Throws: ``LMDBError``; `corrupted` if a block differs from what was written.
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
