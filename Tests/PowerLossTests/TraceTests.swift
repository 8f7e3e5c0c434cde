import PowerLossSupport
import Testing

/// Traces read from recordings, truncated, and mutated.
struct TraceTests {
  /// Returns the bytes of one record.
  private static func record(
    _ kind: UInt32, inode: UInt64 = 0, offset: UInt64 = 0, name: String = "", data: [UInt8] = []
  ) -> [UInt8] {
    func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
      (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return bytes(kind) + bytes(UInt32(name.utf8.count)) + bytes(inode) + bytes(offset)
      + bytes(UInt64(data.count)) + Array(name.utf8) + data
  }

  private static let records: [[UInt8]] = [
    record(0, inode: 70), record(1, inode: 71, name: "a"),
    record(3, inode: 71, offset: 5, data: [1, 2]), record(4, inode: 71, data: [3]),
    record(5, inode: 71, offset: 9), record(6, name: "a", data: Array("b".utf8)),
    record(7, name: "b", data: Array("c".utf8)), record(9, inode: 71), record(9, inode: 70),
    record(8, name: "b"), record(2, inode: 71, name: "d"), record(9, inode: 71), record(10),
    record(11, data: [7]), record(9, inode: 99),
  ]

  /// The operations of the recording: a reused inode is another node; an unknown one is omitted.
  private static let operations: [Trace.Operation] = [
    .create(Node(1), path: "a"), .write(Node(1), offset: 5, bytes: [1, 2], durable: false),
    .write(Node(1), offset: 0, bytes: [3], durable: true), .resize(Node(1), size: 9),
    .rename(from: "a", to: "b"), .link(from: "b", to: "c"), .flush(Node(1)), .flush(.root),
    .remove(path: "b"), .makeFolder(Node(2), path: "d"), .flush(Node(2)), .flushAll,
    .acknowledge([7]),
  ]

  @Test func recording_isReadWhole() {
    #expect(Trace(recording: Self.records.flatMap { $0 }).operations == Self.operations)
  }

  @Test func recording_cutOffAnywhere_givesWhatIsBeforeTheCut() {
    let bytes = Self.records.flatMap { $0 }
    for size in bytes.indices {
      let operations = Trace(recording: Array(bytes[..<size])).operations
      #expect(Self.operations.starts(with: operations), "cut off at \(size)")
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func recording_damaged_isReadWithoutATrap(seed: UInt64) {
    var dice = Dice(seed: seed)
    var bytes = Self.records.flatMap { $0 }
    for _ in 0..<3 {
      let index = Int.random(in: 0..<bytes.count, using: &dice)
      bytes[index] = UInt8.random(in: 0...255, using: &dice)
    }
    #expect(Trace(recording: bytes).operations.count <= Self.records.count, "seed \(seed)")
  }

  @Test func mutations_takeOneFlush_orTheDurabilityOfWrites() {
    let trace = Trace(Self.operations)
    #expect(trace.flushes == [2, 6, 7, 10, 11])
    #expect(trace.mutated(by: .defersDurableWrites).flushes == [6, 7, 10, 11])
    #expect(trace.mutated(by: .dropsFlush(0)) == trace.mutated(by: .defersDurableWrites))
    var others = Self.operations
    others.remove(at: 7)
    #expect(trace.mutated(by: .dropsFlush(2)) == Trace(others))
  }

  @Test func remarks_excludeFlushes_andPromiseNothing() {
    func line(_ text: String) -> Trace.Operation { .acknowledge(Array("\(text)\n".utf8)) }
    let trace = Trace([
      .flushAll, line("1"), line(Trace.unjudgedLine), .flushAll, .flushAll, line("2"),
      line(Trace.judgedLine), .flushAll,
    ])
    #expect(trace.judgedFlushes == [0, 3])
    #expect(trace.acknowledgementCount == 2)
  }
}
