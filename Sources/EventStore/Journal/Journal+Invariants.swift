package import LMDB

extension Journal {
  /// Checks all invariants of a journal: the checksums and entries of all blocks are valid, numbers
  /// ascend, and the catalog's sizes are correct.
  ///
  /// For tests and tools. O(*n*) in the bytes of all blocks.
  ///
  /// - Throws: ``LMDBError``; `corrupted` if an invariant does not hold.
  package func checkInvariants() throws(LMDBError) {
    for stream in catalog.streams {
      try demand(stream.floor <= catalog.last, "a stream begins behind its end")
      try check(stream.stream)
    }
    if !isFrozen { try checkByteCounts() }
  }

  /// Checks that the committed size of each stream is the one in the catalog.
  private func checkByteCounts() throws(LMDBError) {
    var counts: [UInt16: UInt64] = [:]
    try base?.forEachKey(after: 0) { key, count in
      counts[UInt16(truncatingIfNeeded: key), default: 0] +=
        JournalFormat.room(forBlockOf: count)
      return true
    }
    for stream in catalog.streams {
      let count = counts.removeValue(forKey: stream.stream.rawValue) ?? 0
      try demand(count == stream.byteCount, "the catalog is wrong of what a stream takes")
    }
    try demand(counts.isEmpty, "there are blocks of unknown streams")
  }

  /// The size of this frame's entries in bytes, counted anew.
  var countedBytes: Int { dirty.reduce(0) { $0 + $1.bytes.count } }

  private func check(_ stream: JournalStream) throws(LMDBError) {
    var last: UInt64 = 0
    let isRows = stream >= JournalStream.rows(of: 0)
    try forEachBlock(of: stream, after: 0) { block throws(LMDBError) in
      try demand(block.number > last, "a block goes back to \(block.number)")
      while isRows ? try block.nextRow() != nil : try block.nextList() != nil {
        try demand(block.number >= last, "an entry goes back to \(block.number)")
        last = block.number
      }
    }
    try demand(last <= catalog.last, "there are entries of event \(last)")
  }

  private func demand(
    _ condition: Bool, _ what: @autoclosure () -> String
  ) throws(LMDBError) {
    guard condition else { throw LMDBError(.corrupted, "check the journal, as \(what())") }
  }
}
