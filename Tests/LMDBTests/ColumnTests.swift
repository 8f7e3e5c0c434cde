import LMDB
import TestSupport
import Testing

/// Searches in columns of integers that lie within bytes.
@Suite struct ColumnTests {
  private func bytes(_ integers: [UInt64], after offset: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xEE, count: offset)
    for integer in integers { bytes.append(littleEndian: integer) }
    return bytes
  }

  @Test func lowerBound_isTheFirstNotBelow() {
    var generator = SeededGenerator(seed: 1)
    for count in Array(0...80) + [127, 128, 129, 337, 1000] {
      let variety = UInt64.random(in: 1...UInt64(2 * count + 1), using: &generator)
      let integers = (0..<count).map { _ in
        UInt64.random(in: 0...variety, using: &generator) &* (UInt64.max / variety)
      }.sorted()
      let offset = Int.random(in: 0...9, using: &generator)
      let column = bytes(integers, after: offset)
      for _ in 0..<60 {
        let near = integers.randomElement(using: &generator) ?? 7
        let key = near &+ UInt64.random(in: 0...2, using: &generator) &- 1
        let start = Int.random(in: 0...count, using: &generator)
        let end = Int.random(in: start...count, using: &generator)
        let expected = integers[start..<end].firstIndex { $0 >= key } ?? end
        let found = column.raw.lowerBound(of: key, at: offset, in: start..<end)
        #expect(found == expected, "\(key) in \(start)..<\(end) of \(integers)")
      }
    }
  }

  @Test func sum_isThatOfTheIntegers() {
    var bytes: [UInt8] = [1, 2, 3]
    for integer in 0..<100 as Range<UInt32> { bytes.append(littleEndian: integer) }
    for count in 0...100 {
      #expect(bytes.raw.sum(ofIntegersAt: 3, count: count) == UInt32(count * (count - 1) / 2))
    }
  }

  @Test func move_mayOverlap() {
    for (source, target, count) in [(0, 1, 9), (1, 0, 9), (3, 3, 4), (0, 5, 5), (10, 10, 0)] {
      let original = (0..<10).map { UInt8($0) }
      var expected = original
      expected.replaceSubrange(target..<target + count, with: original[source..<source + count])
      var moved = original
      moved.withMutableBytes { $0.move(from: source, to: target, count: count) }
      #expect(moved == expected)
    }
  }

  @Test func whatLiesOutside_traps() async {
    await #expect(processExitsWith: .failure) {
      _ = [UInt8](repeating: 0, count: 31).raw.lowerBound(of: 1, at: 8, in: 0..<3)
    }
    await #expect(processExitsWith: .failure) {
      _ = [UInt8](repeating: 0, count: 31).raw.sum(ofIntegersAt: 4, count: 7)
    }
    await #expect(processExitsWith: .failure) {
      var bytes = [UInt8](repeating: 0, count: 31)
      bytes.withMutableBytes { $0.move(from: 0, to: 30, count: 2) }
    }
  }

  @Test func arrays_areLentAndChangedInPlace() {
    var arrays = ByteArrays()
    arrays.grow(to: 3)
    #expect(arrays.count == 3)
    arrays[1] = [1, 2, 3]
    let shared = arrays[1]
    change(&arrays)
    #expect(arrays[1] == [1, 9, 3])
    #expect(shared == [1, 2, 3])
    #expect(arrays.bytes(at: 1).byte(at: 1) == 9)
    for index in -1...3 { arrays.prefetch(index, 5000, stride: 64) }
  }

  private func change(_ arrays: inout ByteArrays) {
    var bytes = arrays.mutableBytes(at: 1)
    bytes.store(integer: UInt8(9), at: 1)
  }
}
