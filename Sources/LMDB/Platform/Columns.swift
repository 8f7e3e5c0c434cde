/// Columns of integers within bytes, in little-endian order and without gaps: what a search within
/// a page goes through. Each call checks its bounds once, not at each integer.
extension RawSpan {
  /// The first index of `range` whose integer is not below `key`, or the range's end; the column
  /// begins at byte `offset` and ascends.
  ///
  /// Rather than halve the range it looks at the last of every 32 integers, then of every 8 of
  /// those 32, then at 8: the looks of a round don't wait for each other, so that a column that is
  /// not in the processor's cache costs three waits, not one for each halving, and there is no
  /// branch to guess.
  @inlinable @inline(__always)
  package func lowerBound(of key: UInt64, at offset: Int, in range: Range<Int>) -> Int {
    precondition(offset >= 0 && range.lowerBound >= 0, "a column begins before the bytes")
    precondition(offset + 8 * range.upperBound <= byteCount, "a column ends behind the bytes")
    return unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return range.lowerBound }
      let column = unsafe start + offset
      var low = range.lowerBound
      unsafe Self.skip(32, below: key, in: column, &low, range.upperBound)
      unsafe Self.skip(8, below: key, in: column, &low, min(low + 32, range.upperBound))
      unsafe Self.skip(1, below: key, in: column, &low, min(low + 8, range.upperBound))
      return low
    }
  }

  /// Advances `low` over the blocks whose last integer is below `key`; of a block that `high` cuts
  /// off nothing is known.
  @inlinable @inline(__always)
  static func skip(
    _ block: Int, below key: UInt64, in column: UnsafeRawPointer, _ low: inout Int, _ high: Int
  ) {
    var blocks = 0
    var last = low &+ block &- 1
    while last < high {
      let integer = unsafe column.loadUnaligned(fromByteOffset: 8 &* last, as: UInt64.self)
      blocks &+= UInt64(littleEndian: integer) < key ? 1 : 0
      last &+= block
    }
    low &+= blocks &* block
  }

  /// The sum, modulo 2³², of `count` integers of four bytes that begin at byte `offset`.
  @inlinable @inline(__always)
  package func sum(ofIntegersAt offset: Int, count: Int) -> UInt32 {
    precondition(offset >= 0 && count >= 0, "a column begins before the bytes")
    precondition(offset + 4 * count <= byteCount, "a column ends behind the bytes")
    return unsafe withUnsafeBytes { bytes in
      var sum: UInt32 = 0
      for index in 0..<count {
        let next = unsafe bytes.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self)
        sum &+= UInt32(littleEndian: next)
      }
      return sum
    }
  }
}

extension MutableRawSpan {
  /// Moves `count` bytes from one offset to another, which may overlap.
  ///
  /// Traps where they don't lie within the span.
  @inlinable @inline(__always)
  @_lifetime(self: copy self)
  package mutating func move(from source: Int, to target: Int, count: Int) {
    precondition(source >= 0 && target >= 0 && count >= 0, "a move before the bytes")
    precondition(max(source, target) + count <= byteCount, "a move behind the bytes")
    unsafe withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe (start + target).copyMemory(from: start + source, byteCount: count)
    }
  }
}
