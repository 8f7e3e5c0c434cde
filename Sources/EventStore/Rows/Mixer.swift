import LMDB

/// A fast 64-bit hash for hash tables, digests, and rolling sums; not secure against an adversary
/// who knows the seed.
///
/// It multiplies two words at a time and folds the halves of the product together.
package struct Mixer {
  private var state: UInt64

  /// Creates a hash with a seed.
  ///
  /// The seed is folded in like words; otherwise one word could compensate for a different seed.
  @inline(__always)
  package init(seed: UInt64 = 0) {
    state = Self.fold(seed ^ 0x9E37_79B9_7F4A_7C15, 0x8EBC_6AF0_9C88_C6E3)
  }

  /// Adds a word.
  @inline(__always)
  package mutating func add(_ word: UInt64) { add(word, 0) }

  /// Adds two words.
  @inline(__always)
  package mutating func add(_ first: UInt64, _ second: UInt64) {
    state = Self.fold(
      state ^ first ^ 0xA076_1D64_78BD_642F, second &+ state ^ 0xE703_7ED1_A0B4_28DB)
  }

  /// Adds the number of bytes and the bytes.
  package mutating func add(_ bytes: RawSpan) {
    let count = bytes.byteCount
    add(UInt64(count))
    var offset = 0
    while offset + 16 < count {
      add(bytes.integer(UInt64.self, at: offset), bytes.integer(UInt64.self, at: offset + 8))
      offset += 16
    }
    let (first, second) = Self.last(bytes)
    add(first, second)
  }

  /// Returns the last bytes, at most 16, as two words that may overlap each other and earlier bytes
  /// to avoid reading single bytes.
  @inline(__always)
  private static func last(_ bytes: RawSpan) -> (UInt64, UInt64) {
    let count = bytes.byteCount
    if count >= 16 {
      return (
        bytes.integer(UInt64.self, at: count - 16), bytes.integer(UInt64.self, at: count - 8)
      )
    }
    if count >= 8 {
      return (bytes.integer(UInt64.self, at: 0), bytes.integer(UInt64.self, at: count - 8))
    }
    if count >= 4 {
      let first = bytes.integer(UInt32.self, at: 0)
      return (UInt64(first), UInt64(bytes.integer(UInt32.self, at: count - 4)))
    }
    guard count > 0 else { return (0, 0) }
    let ends = UInt64(bytes.byte(at: 0)) | UInt64(bytes.byte(at: count - 1)) << 8
    return (ends, UInt64(bytes.byte(at: count / 2)))
  }

  /// The hash of everything added.
  @inline(__always)
  package var value: UInt64 { Self.fold(state, 0x8EBC_6AF0_9C88_C6E3) }

  /// Returns the hash of bytes.
  package static func hash(_ bytes: RawSpan, seed: UInt64 = 0) -> UInt64 {
    var mixer = Mixer(seed: seed)
    mixer.add(bytes)
    return mixer.value
  }

  /// Returns the digest of bytes of which there may be many; of fewer than 64, their hash.
  ///
  /// One multiplication waits for the one before, so four hashes share the work.
  package static func digest(_ bytes: RawSpan, seed: UInt64 = 0) -> UInt64 {
    var (a, b) = (Mixer(seed: seed), Mixer(seed: seed &+ 1))
    var (c, d) = (Mixer(seed: seed &+ 2), Mixer(seed: seed &+ 3))
    var rest = bytes
    while rest.byteCount >= 64 {
      a.add(rest.integer(UInt64.self, at: 0), rest.integer(UInt64.self, at: 8))
      b.add(rest.integer(UInt64.self, at: 16), rest.integer(UInt64.self, at: 24))
      c.add(rest.integer(UInt64.self, at: 32), rest.integer(UInt64.self, at: 40))
      d.add(rest.integer(UInt64.self, at: 48), rest.integer(UInt64.self, at: 56))
      rest = rest.extracting(droppingFirst: 64)
    }
    if rest.byteCount < bytes.byteCount {
      a.add(b.state, c.state)
      a.add(d.state, UInt64(bytes.byteCount))
    }
    a.add(rest)
    return a.value
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
