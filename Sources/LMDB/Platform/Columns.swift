/// Columns of integers within bytes, in little-endian order and without gaps: what a search within
/// a page goes through. Each call checks its bounds once, not at each integer.
extension RawSpan {
  /// The first index of `range` whose integer is not below `key`, or the range's end; the column
  /// begins at byte `offset` and ascends.
  ///
  /// O(log n), and always the same number of steps for the same count, so that the processor has
  /// nothing to guess.
  @inlinable @inline(__always)
  package func lowerBound(of key: UInt64, at offset: Int, in range: Range<Int>) -> Int {
    precondition(offset >= 0 && range.lowerBound >= 0, "a column begins before the bytes")
    precondition(offset + 8 * range.upperBound <= byteCount, "a column ends behind the bytes")
    return unsafe withUnsafeBytes { bytes in
      var (base, count) = (range.lowerBound, range.count)
      while count > 0 {
        let half = (count + 1) / 2
        let probe = unsafe bytes.loadUnaligned(
          fromByteOffset: offset + 8 * (base + half - 1), as: UInt64.self)
        base += UInt64(littleEndian: probe) < key ? half : 0
        count -= half
      }
      return base
    }
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
