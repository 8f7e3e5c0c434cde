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
    var (hashes, count): (Set<UInt64>, Int) = ([], 0)
    Self.forEachText(ofLength: Array(0...70)) { text in
      hashes.insert(Mixer.hash(text))
      count += 1
    }
    #expect(hashes.count == count)
  }

  /// The texts have up to several blocks, whole or begun.
  @Test func longBytes_thatDifferAnywhere_haveDifferentDigests() {
    var (digests, count): (Set<UInt64>, Int) = ([], 0)
    Self.forEachText(ofLength: [0, 1, 63, 64, 65, 127, 128, 200]) { text in
      for seed in 0..<3 as Range<UInt64> { digests.insert(Mixer.digest(text, seed: seed)) }
      count += 3
    }
    #expect(digests.count == count)
  }

  /// Calls `body` with zeros of each length, and with a single one among their bits.
  private static func forEachText(ofLength lengths: [Int], _ body: (RawSpan) -> Void) {
    for length in lengths {
      var bytes = [UInt8](repeating: 0, count: length)
      body(bytes.raw)
      for bit in 0..<(8 * length) {
        bytes[bit / 8] = 1 << UInt8(bit % 8)
        body(bytes.raw)
        bytes[bit / 8] = 0
      }
    }
  }

  /// Rows on disk hold digests.
  @Test func digests_stayTheSame() {
    let bytes = (0..<200).map { UInt8($0) }
    let digests = [0, 63, 64, 200].map { Mixer.digest(bytes.raw.extracting(0..<$0), seed: 1) }
    #expect(
      digests == [
        1_347_236_832_521_297_508, 4_223_597_050_634_938_352, 8_006_193_190_122_428_842,
        12_969_513_624_106_097_935,
      ])
  }
}
