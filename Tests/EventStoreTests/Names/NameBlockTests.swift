import EventStore
import LMDB
import TestSupport
import Testing

/// Blocks and filters hold what was stored in them, and report when they do not.
@Suite struct NameBlockTests {
  private static let key: UInt64 = 0x1_0000_0002

  private func pairs(_ pairs: [(UInt64, UInt32)]) -> NamePairs {
    var result = NamePairs(capacity: pairs.count)
    for (hash, row) in pairs { result.append(hash, row) }
    return result
  }

  private func randomPairs(_ count: Int, part: Int, of parts: Int, seed: UInt64) -> NamePairs {
    var generator = SeededGenerator(seed: seed)
    var result = NamePairs(capacity: count)
    let width = UInt64.max / UInt64(parts)
    while result.count < count {
      let hash = UInt64(part) * width + UInt64.random(in: 0...width, using: &generator)
      let kept = Int.random(in: 0..<5, using: &generator) == 0 ? result.hashes.last ?? hash : hash
      guard Int(kept.multipliedFullWidth(by: UInt64(parts)).high) == part else { continue }
      result.append(kept, UInt32(result.count + 1))
    }
    return result
  }

  @Test(arguments: 0..<UInt64(20))
  func sorting_keepsThePairs(seed: UInt64) {
    for count in [0, 1, 2, 9, 338, 3000] {
      let pairs = randomPairs(count, part: 5, of: 7, seed: seed)
      let sorted = pairs.sorted(part: 5, of: 7)
      #expect(sorted.hashes == pairs.hashes.sorted())
      let (before, after) = (
        zip(pairs.hashes, pairs.rows).map { "\($0) \($1)" },
        zip(sorted.hashes, sorted.rows).map { "\($0) \($1)" }
      )
      #expect(Set(before) == Set(after) && before.count == after.count)
    }
  }

  @Test(arguments: 0..<UInt64(20))
  func block_findsEachOfItsPairs(seed: UInt64) {
    let pairs = randomPairs(Int(seed) * 20, part: 3, of: 9, seed: seed).sorted(part: 3, of: 9)
    let bytes = NameBlock.bytes(of: pairs, 0..<pairs.count, key: Self.key)
    NameBlock.read(bytes) { block in
      let (isIntact, isElsewhere) = (block.isIntact(at: Self.key), block.isIntact(at: Self.key + 1))
      #expect(isIntact && !isElsewhere)
      let (isSorted, count) = (block.isSorted(part: 3, of: 9), block.count)
      #expect(isSorted && count == pairs.count)
      for (index, hash) in pairs.hashes.enumerated() {
        let first = pairs.hashes.firstIndex(of: hash) ?? 0
        let row = block.row(index - first, of: hash, part: 3, of: 9)
        #expect(row?.rawValue == pairs.rows[index])
        let other = block.row(0, of: hash + 1, part: 3, of: 9)
        #expect(other == nil || pairs.hashes.contains(hash + 1))
      }
    }
  }

  @Test func block_hasTheBytesOfTheDocument() {
    let bytes = NameBlock.bytes(of: pairs([(3, 7), (5, 1)]), 0..<2, key: Self.key)
    #expect(
      bytes == [
        0x3B, 0xCF, 0xFA, 0x64, 3, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0,
        0,
      ])
  }

  @Test func damage_isNoticed() {
    let pairs = randomPairs(20, part: 0, of: 2, seed: 1).sorted(part: 0, of: 2)
    let bytes = NameBlock.bytes(of: pairs, 0..<20, key: Self.key)
    let filter = NameFilter.bytes(of: pairs, 0..<20, sheet: 0, of: 2, key: Self.key)
    for bit in 0..<8 * bytes.count {
      let flipped = flipping(bit, of: bytes)
      let isIntact = NameBlock(flipped.raw)?.isIntact(at: Self.key)
      #expect(isIntact != true)
    }
    for bit in stride(from: 0, to: 8 * filter.count, by: 5) {
      let flipped = flipping(bit, of: filter)
      let isIntact = NameFilter(flipped.raw)?.isIntact(at: Self.key)
      #expect(isIntact != true)
    }
    for count in 0..<bytes.count {
      let short = Array(bytes[..<count])
      let isIntact = NameBlock(short.raw)?.isIntact(at: Self.key)
      #expect(isIntact != true)
    }
  }

  private func flipping(_ bit: Int, of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << (bit % 8)
    return bytes
  }

  @Test func filter_knowsItsHashesAndFewOthers() {
    let (sheets, sheet, count) = (14, 9, 2341)
    let pairs = randomPairs(count, part: sheet, of: sheets, seed: 1)
    let bytes = NameFilter.bytes(of: pairs, 0..<count, sheet: sheet, of: sheets, key: Self.key)
    let others = randomPairs(50_000, part: sheet, of: sheets, seed: 2)
    #expect(pairs.hashes.allSatisfy { mayHold(bytes, $0, sheet, sheets) })
    let false_ = others.hashes.count { mayHold(bytes, $0, sheet, sheets) }
    #expect((1..<300).contains(false_), "\(false_) of 50,000 seem to be there")
  }

  private func mayHold(_ bytes: [UInt8], _ hash: UInt64, _ sheet: Int, _ sheets: Int) -> Bool {
    let line = hash.multipliedFullWidth(by: UInt64(sheets * NameFilter.lineCount)).high
    return NameFilter(bytes.raw)?.mayHold(hash, line: Int(line) - sheet * NameFilter.lineCount)
      == true
  }
}
