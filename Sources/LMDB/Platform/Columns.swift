/// Columns of integers within bytes, little-endian and without gaps, as a search within a page
/// reads them.
///
/// Each call checks its bounds once, not at each integer.
extension RawSpan {
  /// Returns the first index in `range` whose integer is not below `key`, or the end of the range;
  /// the column begins at byte `offset` and ascends.
  ///
  /// Instead of bisecting the range, it reads the last of every 32 integers, then of every 8 of
  /// those 32, then 8 integers. The reads of a round are independent of each other, so a column
  /// outside the processor's cache costs three waits instead of one per bisection, and there is no
  /// branch to predict.
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

  /// Advances `low` past the blocks whose last integer is below `key`; ignores a block that `high`
  /// cuts off.
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

  /// Returns the sum, modulo 2³², of `count` four-byte integers that begin at byte `offset`.
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
  /// Moves `count` bytes from one offset to another; the two ranges may overlap.
  ///
  /// Traps if they don't lie within the span.
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
