import PowerLossSupport
import Testing

/// Compares the paged contents of a file with a plain array of bytes.
struct ContentsTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func writesAndSizes_anyOrder_areThoseOfAnArray(seed: UInt64) {
    var dice = Dice(seed: seed)
    var contents = Contents()
    var array: [UInt8] = []
    for _ in 0..<30 {
      let offset = Int.random(in: 0...20_000, using: &dice)
      if dice.chance(30) {
        contents.resize(to: offset)
        array = array.resized(to: offset)
      } else {
        let bytes = [UInt8](
          repeating: UInt8.random(in: 1...255, using: &dice),
          count: Int.random(in: 1...9000, using: &dice))
        for piece in Contents.pieces(of: bytes, at: offset).shuffled(using: &dice) {
          contents.put(piece)
        }
        array = array.resized(to: max(array.count, offset + bytes.count))
        array.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      }
      #expect(contents.bytes == array, "seed \(seed)")
    }
    #expect(contents == Contents(array), "seed \(seed)")
  }
}

extension [UInt8] {
  fileprivate func resized(to size: Int) -> [UInt8] {
    size < count ? Array(self[..<size]) : self + [UInt8](repeating: 0, count: size - count)
  }
}
