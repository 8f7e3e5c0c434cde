import LMDB

/// A Bloom filter over the hashes of a sheet of a run, borrowed and read in place.
///
/// ```
///  0  checksum (4) of the key and all that follows   4  nothing (4)
///  8  63 lines of 64 bytes
/// ```
///
/// A hash's size determines its line, as it does its block. In the line, it sets five bits, whose
/// numbers are its lowest five groups of nine bits. A sheet has 2,341 hashes on average, so each
/// has 13.8 bits, and 3 in 1,000 absent hashes seem to be present.
package struct NameFilter: ~Escapable {
  /// The number of lines for each sheet.
  package static let lineCount = 63
  /// The number of bytes in a filter.
  package static let byteCount = 8 + 64 * lineCount

  private let bytes: RawSpan

  /// Creates a view of bytes, or returns `nil` if their number is wrong.
  @_lifetime(copy bytes)
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Returns whether the bytes are those that were stored at a key.
  package func isIntact(at key: UInt64) -> Bool {
    bytes.integer(UInt32.self, at: 0) == Checksum.of(key, bytes.extracting(droppingFirst: 4))
  }

  /// Returns whether the sheet may hold a hash; `false` is certain.
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

  /// Encodes the filter of some of `pairs`, to be stored at a key.
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
