import EventStore
import LMDB
import TestSupport
import Testing

/// The hash of rows, digests and tables.
@Suite struct MixerTests {
  /// No word offsets a difference in the seed or in another word.
  @Test func smallNumbers_giveDifferentHashes() {
    var hashes: Set<UInt64> = []
    for seed in 0..<32 as Range<UInt64> {
      for first in 0..<32 as Range<UInt64> {
        for second in 0..<32 as Range<UInt64> {
          var mixer = Mixer(seed: seed)
          mixer.add(first, second)
          hashes.insert(mixer.value)
        }
      }
    }
    #expect(hashes.count == 32 * 32 * 32)
  }

  @Test func bytes_thatDifferAnywhere_giveDifferentHashes() {
    var hashes: Set<UInt64> = []
    var count = 0
    for length in 0...70 {
      for place in 0..<length {
        for bit in 0..<8 {
          var bytes = [UInt8](repeating: 0, count: length)
          bytes[place] = 1 << UInt8(bit)
          hashes.insert(Mixer.hash(bytes.raw))
          count += 1
        }
      }
      hashes.insert(Mixer.hash([UInt8](repeating: 0, count: length).raw))
      count += 1
    }
    #expect(hashes.count == count)
  }

  /// As above, for digests of texts of up to several blocks.
  @Test func longBytes_thatDifferAnywhere_haveDifferentDigests() {
    var digests: Set<UInt64> = []
    var count = 0
    for length in [0, 1, 63, 64, 65, 127, 128, 200] {
      for place in 0..<length {
        for bit in 0..<8 {
          var bytes = [UInt8](repeating: 0, count: length)
          bytes[place] = 1 << UInt8(bit)
          digests.insert(Mixer.digest(bytes.raw))
          count += 1
        }
      }
      let zeros = [UInt8](repeating: 0, count: length)
      for seed in 0..<5 as Range<UInt64> { digests.insert(Mixer.digest(zeros.raw, seed: seed)) }
      count += 5
    }
    #expect(digests.count == count)
  }
}
