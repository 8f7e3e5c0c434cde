import EventStore
import LMDB
import TestSupport
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

  /// Ever fewer are kept of what is long past, but never none, and all of what was lately.
  @Test func marks_neverBecomeTooMany() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let marks = FrameMarks(table: try environment.table("marks"))
    for number in 1...UInt64(4000) {
      var transaction = try environment.beginWriting()
      try marks.write(FrameMark(RecordNumber(rawValue: number), [:]), to: &transaction)
      try transaction.commit(.none)
    }
    let kept = try marks.marks(through: 3990, in: KeptReader(environment)).map(\.number.rawValue)
    #expect(kept.count <= FrameMarks.countMax && kept.first == 1)
    let recent = UInt64(3990 - FrameMarks.recentMax / 2)
    #expect(kept.filter { $0 > recent }.elementsEqual((recent + 1)...3990))
    for (mark, next) in zip(kept, kept.dropFirst()) {
      #expect(next - mark <= 3 * (4000 - mark) / FrameMarks.spread + 1)
    }
  }

  /// However many records there are.
  @Test func marks_ofAnEndlessLog_areFewEnough() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let marks = FrameMarks(table: try environment.table("marks"))
    var number: UInt64 = 1
    while number < 1 << 48 {
      var transaction = try environment.beginWriting()
      try marks.write(FrameMark(RecordNumber(rawValue: number), [:]), to: &transaction)
      try transaction.commit(.none)
      number += 1 + number / 128
    }
    let kept = try marks.marks(through: RecordNumber(rawValue: .max), in: KeptReader(environment))
    #expect(kept.count <= FrameMarks.countMax)
  }
}
