import CPlatform

extension RawSpan {
  /// How many of the eight bytes from an offset on are before the first quote, backslash, control
  /// character or byte that is not ASCII, if there are eight.
  @inlinable @inline(__always)
  package func plainCountOfEight(from offset: Int) -> Int {
    guard offset + 8 <= byteCount else { return 0 }
    let word = integer(UInt64.self, at: offset)
    let (ones, highest): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let (quotes, slashes) = (word ^ 0x22 &* ones, word ^ 0x5C &* ones)
    // A byte that is below what is taken from it turns its highest bit on; and perhaps that of the
    // next, which doesn't matter.
    let odd = (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes | (word &- 0x20 &* ones)
    return min(((odd | word) & highest).trailingZeroBitCount >> 3, 8)
  }

  /// How many bytes of a text within quotes, from an offset on, are before the first quote, control
  /// character, byte that is not ASCII, or backslash that begins no escape of one letter; as far as
  /// there are sixteen at a time.
  ///
  /// - Parameter isEscaped: Is set where there is such an escape among them.
  package func plainCount(from offset: Int, _ isEscaped: inout Bool) -> Int {
    unsafe withUnsafeBytes { buffer in
      guard offset >= 0, offset < buffer.count, let base = buffer.baseAddress else { return 0 }
      return unsafe tideline_plain_count(base + offset, buffer.count - offset, &isEscaped)
    }
  }

  /// Writes the bytes from an offset on, each escape of one letter as what it stands for, up to a
  /// backslash that begins no such, and steps over what was read and written.
  ///
  /// Traps where all that are left would not fit: what is behind those that count may be written.
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
