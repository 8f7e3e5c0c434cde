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
      .view(2): .init(count: 0, hash: 0),
    ])

  @Test func bytes_areThoseOfTheDocument() throws {
    let golden = try Goldens.of("ViewsFormat")["mark"]
    let bytes = Self.mark.bytes
    #expect(bytes == golden, "\(Goldens.text(bytes))")
    let (read, misplaced) = (FrameMark(90, bytes.raw), FrameMark(91, bytes.raw))
    #expect(read == Self.mark && misplaced == nil)
  }

  @Test func bytes_ofAnyParts_areReadAgain() {
    let mark = FrameMark(
      RecordNumber(rawValue: .max),
      [
        .collection(255): .init(count: 128, hash: .max), .collection(0): .init(count: 1, hash: 0),
        .view(.max): .init(count: .max, hash: 1), .view(7): .init(count: 0, hash: 1),
      ])
    let bytes = mark.bytes
    #expect(FrameMark(mark.number, bytes.raw) == mark)
  }

  /// Arbitrary bytes with a valid checksum are either read as a mark or refused.
  @Test(arguments: 0..<UInt64(Campaign.size(50, long: 5_000)))
  func bytes_withTheirChecksum_areReadOrNot(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      var bytes = Self.mark.bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[.random(in: 8..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      bytes.removeLast(.random(in: 0...bytes.count - 8, using: &random))
      bytes.store(integer: Checksum.of(90 as UInt64, bytes.raw.extracting(4...)), at: 0)
      guard let mark = FrameMark(90, bytes.raw) else { continue }
      let again = FrameMark(90, mark.bytes.raw)
      #expect(again == mark, "seed \(seed)")
    }
  }

  @Test func bytes_thatAreDamaged_areNone() {
    for bit in 0..<8 * Self.mark.bytes.count {
      var bytes = Self.mark.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let read = FrameMark(90, bytes.raw)
      #expect(read == nil, "bit \(bit)")
    }
  }

  /// The farther back marks lie, the fewer are kept, but never none; recent ones are all kept.
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

  /// The number of marks stays small however many records exist.
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
