import EventStore
import LMDB
import Testing

@Suite struct FrameMarkTests {
  private static let mark = FrameMark(
    90,
    [
      .collection(1): .init(count: 2, hash: 0x1111_1111_1111_1111),
      .view(1): .init(count: 1, hash: 0x2222_2222_2222_2222),
    ])

  @Test func bytes_areThoseOfTheDocument() throws {
    let golden = try Goldens.of("ViewsFormat")["mark"]
    let bytes = Self.mark.bytes
    #expect(bytes == golden, "\(Goldens.text(bytes))")
    let (read, misplaced) = (FrameMark(90, bytes.raw), FrameMark(91, bytes.raw))
    #expect(read == Self.mark && misplaced == nil)
  }

  @Test func bytes_thatAreDamaged_areNone() {
    for bit in 0..<8 * Self.mark.bytes.count {
      var bytes = Self.mark.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let read = FrameMark(90, bytes.raw)
      #expect(read == nil, "bit \(bit)")
    }
  }
}
