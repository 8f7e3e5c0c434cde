import LMDB

/// A secret key for fingerprints of names, which only its holder can link to the names.
///
/// A fingerprint is SipHash-2-4 (Aumasson and Bernstein, 2012): 64 bits, keyed, so without the key
/// nobody can guess a name from its fingerprint or choose names that collide.
package struct FingerprintKey: Sendable, Hashable {
  /// The number of bytes in a key.
  package static let byteCount = 16

  private let low: UInt64
  private let high: UInt64

  /// Creates a key from its 16 bytes; traps if `bytes` are fewer.
  package init(_ bytes: RawSpan) {
    low = bytes.integer(UInt64.self, at: 0)
    high = bytes.integer(UInt64.self, at: 8)
  }

  /// Creates a new key.
  package init(using generator: inout some RandomNumberGenerator) {
    low = generator.next()
    high = generator.next()
  }

  /// The 16 bytes from which the key can be recreated.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: low)
    bytes.append(littleEndian: high)
    return bytes
  }

  /// Returns the fingerprint of bytes.
  ///
  /// - Complexity: O(n), without allocation.
  package func fingerprint(of bytes: RawSpan) -> UInt64 {
    var state = SipHash(low, high)
    let tail = bytes.byteCount & ~7
    for offset in stride(from: 0, to: tail, by: 8) {
      state.absorb(bytes.integer(UInt64.self, at: offset))
    }
    var last: UInt64 = 0
    for offset in tail..<bytes.byteCount {
      last |= UInt64(bytes.byte(at: offset)) << UInt64(8 * (offset & 7))
    }
    return state.finish(last, byteCount: bytes.byteCount)
  }

  /// Returns the fingerprint of two words: that of their 16 bytes, each word in little-endian
  /// order.
  package func fingerprint(of first: UInt64, _ second: UInt64) -> UInt64 {
    var state = SipHash(low, high)
    state.absorb(first)
    state.absorb(second)
    return state.finish(0, byteCount: 16)
  }

  /// Returns the fingerprint of a text: that of its UTF-8.
  ///
  /// - Complexity: O(n), without allocation.
  package func fingerprint(of text: String) -> UInt64 {
    var state = SipHash(low, high)
    var word: UInt64 = 0
    var count = 0
    for byte in text.utf8 {
      word |= UInt64(byte) << UInt64(8 * (count & 7))
      count += 1
      guard count & 7 == 0 else { continue }
      state.absorb(word)
      word = 0
    }
    return state.finish(word, byteCount: count)
  }
}

extension FingerprintKey: CustomStringConvertible {
  /// The type's name only: a secret doesn't belong in a text.
  package var description: String { "FingerprintKey" }
}

/// The state of SipHash-2-4 between two words of its input.
private struct SipHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  init(_ low: UInt64, _ high: UInt64) {
    v0 = low ^ 0x736F_6D65_7073_6575
    v1 = high ^ 0x646F_7261_6E64_6F6D
    v2 = low ^ 0x6C79_6765_6E65_7261
    v3 = high ^ 0x7465_6462_7974_6573
  }

  mutating func absorb(_ word: UInt64) {
    v3 ^= word
    mix(rounds: 2)
    v0 ^= word
  }

  /// Absorbs the last bytes, fewer than eight, and the total length, and returns the hash.
  mutating func finish(_ last: UInt64, byteCount: Int) -> UInt64 {
    absorb(last | UInt64(truncatingIfNeeded: byteCount) << 56)
    v2 ^= 0xFF
    mix(rounds: 4)
    return v0 ^ v1 ^ v2 ^ v3
  }

  private mutating func mix(rounds: Int) {
    for _ in 0..<rounds {
      v0 &+= v1
      v2 &+= v3
      v1 = v1.rotated(13) ^ v0
      v3 = v3.rotated(16) ^ v2
      v0 = v0.rotated(32)
      v2 &+= v1
      v0 &+= v3
      v1 = v1.rotated(17) ^ v2
      v3 = v3.rotated(21) ^ v0
      v2 = v2.rotated(32)
    }
  }
}

extension UInt64 {
  fileprivate func rotated(_ places: UInt64) -> UInt64 { self << places | self >> (64 - places) }
}
