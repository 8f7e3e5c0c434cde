import CPlatform

extension RawSpan {
  /// Returns how many of the eight bytes from an offset on precede the first quote, backslash,
  /// control character or non-ASCII byte; 0 if fewer than eight are left.
  @inlinable @inline(__always)
  package func plainCountOfEight(from offset: Int) -> Int {
    guard offset + 8 <= byteCount else { return 0 }
    let word = integer(UInt64.self, at: offset)
    let (ones, highest): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let (quotes, slashes) = (word ^ 0x22 &* ones, word ^ 0x5C &* ones)
    // A byte below its subtrahend sets its highest bit, and perhaps that of the next byte, which
    // doesn't matter.
    let odd = (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes | (word &- 0x20 &* ones)
    return min(((odd | word) & highest).trailingZeroBitCount >> 3, 8)
  }

  /// Returns how many bytes of quoted text, from an offset on, precede the first quote, control
  /// character, non-ASCII byte, or backslash that doesn't begin a one-letter escape; reads only
  /// whole groups of sixteen bytes.
  ///
  /// - Parameter isEscaped: Set if there is such an escape among them.
  package func plainCount(from offset: Int, _ isEscaped: inout Bool) -> Int {
    unsafe withUnsafeBytes { buffer in
      guard offset >= 0, offset < buffer.count, let base = buffer.baseAddress else { return 0 }
      return unsafe tideline_plain_count(base + offset, buffer.count - offset, &isEscaped)
    }
  }

  /// Copies the bytes from an offset on, decoding one-letter escapes, up to a backslash that begins
  /// none; advances `offset` and `place` past what was read and written.
  ///
  /// Traps if all remaining bytes would not fit, as bytes after the copied ones may be overwritten.
  package func copyPlain(
    from offset: inout Int, into other: inout MutableRawSpan, at place: inout Int
  ) {
    let count = byteCount - offset
    precondition(
      offset >= 0 && count >= 0 && place >= 0 && count <= other.byteCount - place,
      "no room for the bytes")
    unsafe withUnsafeBytes { mine in
      unsafe other.withUnsafeMutableBytes { theirs in
        guard let from = mine.baseAddress, let to = theirs.baseAddress else { return }
        var written = 0
        offset += unsafe tideline_copy_plain(to + place, from + offset, count, &written)
        place += written
      }
    }
  }
}
