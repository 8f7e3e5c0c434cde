import CProcessor

extension RawSpan {
  /// How many bytes from an offset on are before the first quote, backslash, control character or
  /// byte that is not ASCII, as far as there are sixteen at a time.
  package func plainCount(from offset: Int) -> Int {
    unsafe withUnsafeBytes { buffer in
      guard offset >= 0, offset < buffer.count, let base = buffer.baseAddress else { return 0 }
      return unsafe tideline_plain_count(base + offset, buffer.count - offset)
    }
  }

  /// Writes the bytes from an offset on that are before the first backslash; returns how many they
  /// are.
  ///
  /// Traps where all that are left would not fit: what is behind those that count may be written.
  package func copyPlain(
    from offset: Int, into other: inout MutableRawSpan, at place: Int
  ) -> Int {
    let count = byteCount - offset
    precondition(
      offset >= 0 && count >= 0 && place >= 0 && count <= other.byteCount - place,
      "no room for the bytes")
    return unsafe withUnsafeBytes { mine in
      unsafe other.withUnsafeMutableBytes { theirs in
        guard let from = mine.baseAddress, let to = theirs.baseAddress else { return 0 }
        return unsafe tideline_copy_plain(to + place, from + offset, count)
      }
    }
  }
}
