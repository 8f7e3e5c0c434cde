package import LMDB

/// The entries of a frame, to be written while the next frame continues, and the blocks dropped to
/// make room.
package struct FrozenJournal: Sendable {
  /// The state of all streams after the write.
  package let catalog: JournalCatalog
  private let buffers: [JournalBuffer]
  /// The keys of the dropped blocks.
  private let dropped: [UInt64]

  init(_ catalog: JournalCatalog, _ buffers: [JournalBuffer], _ dropped: [UInt64]) {
    self.catalog = catalog
    self.buffers = buffers
    self.dropped = dropped
  }

  /// Appends the blocks after the last one, and writes the catalog.
  ///
  /// May run again if the transaction is repeated.
  ///
  /// - Complexity: O(bytes + dropped blocks × log n)
  package func write(
    to transaction: inout WriteTransaction, _ table: Table<UInt64, [UInt8]>
  ) throws(LMDBError) {
    for key in dropped { try transaction.remove(key, from: table) }
    try transaction.put(catalog.bytes, for: 0, in: table)
    var appender = try transaction.appender(to: table)
    for (key, index, block) in order {
      let buffer = buffers[index]
      let bytes = buffer.block(block)
      var room = try appender.reserve(bytes.byteCount, for: key)
      room.store(copying: bytes, at: 0)
      room.store(integer: JournalBlock.checksum(key, bytes), at: 0)
    }
  }

  /// The blocks in ascending order of key.
  private var order: [(key: UInt64, buffer: Int, block: Int)] {
    buffers.indices.flatMap { index in
      buffers[index].blocks.indices.map { block in
        let last = buffers[index].blocks[block].last
        return (catalog.streams[index].stream.key(last), index, block)
      }
    }.sorted { $0.key < $1.key }
  }
}

extension Journal {
  /// The maximum number of blocks dropped with a frame, in addition to as many as the frame has:
  /// each is looked up with exclusive access to the views.
  private static let droppedMax = 512

  /// Begins a new frame: sets aside the entries of the current one, to be written in the meantime,
  /// and drops blocks over the limits.
  ///
  /// - Complexity: O(streams + dropped blocks × log n)
  /// - Precondition: The previously frozen frame is committed.
  /// - Throws: ``LMDBError``.
  package mutating func freeze() throws(LMDBError) -> FrozenJournal {
    precondition(!isFrozen, "the frame before is not committed")
    isFrozen = true
    swap(&frozen, &dirty)
    swap(&dirty, &spare)
    dirtyBytes = 0
    for index in frozen.indices {
      catalog.streams[index].byteCount += frozen[index].room
    }
    let dropped = try trimmed()
    return FrozenJournal(catalog, frozen, dropped)
  }

  /// Notes that the frozen frame is committed, and that the reader has been renewed since.
  ///
  /// Release the result of ``freeze()`` before this call, so that its memory can be reused.
  package mutating func committed() {
    isFrozen = false
    for index in frozen.indices { frozen[index].removeAll(keepingUpTo: Self.keptBytesMax) }
    swap(&frozen, &spare)
  }

  /// Raises floors until the committed blocks are within the limits, or the maximum for one frame
  /// is reached, which leaves the rest to later frames; returns the keys of the dropped blocks.
  private mutating func trimmed() throws(LMDBError) -> [UInt64] {
    var (dropped, byteCount): ([UInt64], UInt64) = ([], catalog.byteCount)
    let oldest = catalog.last - min(catalog.last, limits.eventsMax)
    // More than the frame has, so that the excess shrinks whatever the frames contain.
    let countMax = frozen.reduce(Self.droppedMax) { $0 + $1.blocks.count }
    try base?.forEachKey(after: 0) { key, count in
      guard key >> 16 <= oldest, dropped.count < countMax else { return false }
      byteCount -= drop(key, count, &dropped)
      return true
    }
    while byteCount > limits.bytesMax, dropped.count < countMax {
      guard let room = try dropOldestBlock(&dropped) else { break }
      byteCount -= room
    }
    return dropped
  }

  /// Drops the oldest block of the largest stream; returns the room that it took, or `nil` if the
  /// stream has none.
  private mutating func dropOldestBlock(_ dropped: inout [UInt64]) throws(LMDBError) -> UInt64? {
    guard let stream = catalog.streams.max(by: { $0.byteCount < $1.byteCount }) else { return nil }
    var found: (key: UInt64, count: Int)?
    try base?.forEachKey(after: stream.dropped) { key, count in
      guard UInt16(truncatingIfNeeded: key) == stream.stream.rawValue else { return true }
      found = (key, count)
      return false
    }
    guard let found else { return nil }
    return drop(found.key, found.count, &dropped)
  }

  /// Drops a block; returns the room that this frees.
  private mutating func drop(_ key: UInt64, _ count: Int, _ dropped: inout [UInt64]) -> UInt64 {
    dropped.append(key)
    let stream = JournalStream(rawValue: UInt16(truncatingIfNeeded: key))
    guard let index = catalog.index(of: stream) else { return 0 }
    let room = min(JournalFormat.room(forBlockOf: count), catalog.streams[index].byteCount)
    catalog.streams[index].byteCount -= room
    catalog.streams[index].floor = max(catalog.streams[index].floor, key >> 16)
    catalog.streams[index].dropped = key >> 16
    return room
  }
}
