import LMDB

/// A fast hash of 64 bits, for hash tables, digests and rolling sums; not against an adversary who
/// knows the seed.
///
/// Two words at a time are multiplied and the halves of the product folded together.
package struct Mixer {
  private var state: UInt64

  /// A hash that begins with a seed.
  package init(seed: UInt64 = 0) { state = seed ^ 0x9E37_79B9_7F4A_7C15 }

  /// Takes in a word.
  @inline(__always)
  package mutating func add(_ word: UInt64) {
    state = Self.fold(state ^ 0xA076_1D64_78BD_642F, word ^ 0xE703_7ED1_A0B4_28DB)
  }

  /// Takes in bytes and their number.
  package mutating func add(_ bytes: RawSpan) {
    let whole = bytes.byteCount & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      add(bytes.integer(UInt64.self, at: offset))
    }
    var last = UInt64(bytes.byteCount) << 56
    for offset in whole..<bytes.byteCount {
      last |= UInt64(bytes.byte(at: offset)) << UInt64(8 * (offset & 7))
    }
    add(last)
  }

  /// The hash of all that was taken in.
  @inline(__always)
  package var value: UInt64 { Self.fold(state, 0x8EBC_6AF0_9C88_C6E3) }

  /// The hash of bytes.
  package static func hash(_ bytes: RawSpan, seed: UInt64 = 0) -> UInt64 {
    var mixer = Mixer(seed: seed)
    mixer.add(bytes)
    return mixer.value
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
