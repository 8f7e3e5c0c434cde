import LMDB

/// The entries of one stream in memory, in the blocks in which they will be written.
struct JournalBuffer: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var blocks: [Block] = []

  /// A block's start offset, and its last event.
  struct Block: Sendable {
    var start: Int
    var last: UInt64
  }

  /// Appends an entry of an event whose number is not below the previous one; returns the number of
  /// bytes added.
  @inline(__always)
  mutating func append(
    _ number: UInt64, _ blockBytesMax: Int, _ body: (inout [UInt8]) -> Void
  ) -> Int {
    let start = bytes.count
    if let block = blocks.last, number == block.last || bytes.count - block.start < blockBytesMax {
      bytes.append(varint: number - block.last)
      blocks[blocks.count - 1].last = number
    } else {
      beginBlock(number)
      bytes.append(0)
    }
    body(&bytes)
    return bytes.count - start
  }

  private mutating func beginBlock(_ number: UInt64) {
    blocks.append(Block(start: bytes.count, last: number))
    bytes.extend(by: JournalFormat.blockHeadCount)
    bytes.store(integer: number, at: bytes.count - 8)
  }

  /// Returns the bytes of a block.
  @_lifetime(borrow self)
  func block(_ index: Int) -> RawSpan {
    let end = index + 1 < blocks.count ? blocks[index + 1].start : bytes.count
    return bytes.raw.extracting(blocks[index].start..<end)
  }

  /// The number of bytes that the blocks will take in the file.
  var room: UInt64 {
    blocks.indices.reduce(0) { $0 + JournalFormat.room(forBlockOf: block($1).byteCount) }
  }

  /// Calls `body` with each block that contains events after a number, in order.
  func forEachBlock(
    of stream: JournalStream, after number: UInt64,
    _ body: (inout JournalBlock) throws(LMDBError) -> Void
  ) throws(LMDBError) {
    for index in blocks(after: number) {
      var block = try JournalBlock(block(index), stream)
      try body(&block)
    }
  }

  /// Returns the indices of the blocks that contain events after a number.
  private func blocks(after number: UInt64) -> Range<Int> {
    blocks.lowerBound(where: { $0.last <= number })..<blocks.count
  }

  /// Removes all entries, keeping memory up to a limit.
  mutating func removeAll(keepingUpTo limit: Int) {
    bytes.removeAll(keepingCapacity: bytes.capacity <= limit)
    blocks.removeAll(keepingCapacity: true)
  }
}
