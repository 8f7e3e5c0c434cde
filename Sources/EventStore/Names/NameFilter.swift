import LMDB

/// A Bloom filter over the hashes of a sheet of a run, borrowed and read in place.
///
/// ```
///  0  checksum (4) of the key and all that follows   4  nothing (4)
///  8  63 lines of 64 bytes
/// ```
///
/// A hash belongs to one line, as it belongs to one block: both follow from how large it is. There
/// it stands for five bits, whose numbers are its lowest five groups of nine bits. A sheet has
/// 2,341 hashes on average, so each has 13.8 bits, and 3 in 1,000 hashes that are not there seem to
/// be.
package struct NameFilter: ~Escapable {
  /// How many lines there are for each sheet.
  package static let lineCount = 63
  /// How many bytes a filter has.
  package static let byteCount = 8 + 64 * lineCount

  private let bytes: RawSpan

  /// A view of bytes, or `nil` where there are too few or too many.
  @_lifetime(copy bytes)
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Whether the bytes are those that were stored at a key.
  package func isIntact(at key: UInt64) -> Bool {
    bytes.integer(UInt32.self, at: 0) == Checksum.of(key, bytes.extracting(droppingFirst: 4))
  }

  /// Whether a hash may be there; if not, it surely isn't.
  @inline(__always)
  package func mayHold(_ hash: UInt64, line: Int) -> Bool {
    let start = 8 + 64 * line
    var all: UInt64 = 1
    for shift in stride(from: UInt64(0), to: 45, by: 9) {
      let bit = hash &>> shift & 511
      all &= bytes.integer(UInt64.self, at: start + Int(bit &>> 6) * 8) &>> (bit & 63)
    }
    return all != 0
  }

  /// The bytes of the filter of some of `pairs`, to be stored at a key.
  package static func bytes(
    of pairs: borrowing NamePairs, _ range: Range<Int>, sheet: Int, of sheets: Int, key: UInt64
  ) -> [UInt8] {
    var words = [UInt64](repeating: 0, count: 8 * lineCount)
    for index in range {
      let hash = pairs.hashes[index]
      let line = hash.part(of: sheets * lineCount) - sheet * lineCount
      for shift in stride(from: UInt64(0), to: 45, by: 9) {
        let bit = hash &>> shift & 511
        words[8 * line + Int(bit &>> 6)] |= 1 &<< (bit & 63)
      }
    }
    return encoded(words, key)
  }

  private static func encoded(_ words: [UInt64], _ key: UInt64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    bytes.withMutableBytes { bytes in
      for index in words.indices { bytes.store(integer: words[index], at: 8 + 8 * index) }
      let checksum = Checksum.of(key, bytes.bytes.extracting(droppingFirst: 4))
      bytes.store(integer: checksum, at: 0)
    }
    return bytes
  }
}
