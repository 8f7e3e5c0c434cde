import EventStore
import LMDB
import TestSupport
import Testing

/// Writing a log anew.
@Suite struct LogRewriterTests {
  /// Long records of a baseline are written as they come, not gathered without limit.
  @Test func baseline_isWrittenAsItGrows() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 1)
    try Environment.createFile(in: folder.path)
    var store = StoreRecord(inode: 0, using: &generator)
    store.floor = 100
    var rewriter = try LogRewriter(in: Folder(folder.path), store)
    rewriter.beginBaseline(in: 1)
    let payload = [UInt8](repeating: 7, count: 1 << 20)
    let header = RecordHeader(
      kind: .note, version: 1, isBaseline: true, recordedAt: Timestamp(rawValue: 0),
      payloadCount: payload.count, payloadChecksum: Checksum.of(payload.span.bytes))
    for number in 1...12 {
      try rewriter.appendBaseline(RecordNumber(number), header, payload.span.bytes)
      #expect(rewriter.waitingByteCount <= 5 << 20)
    }
    try rewriter.finish()
    #expect(try Log.check(at: folder.path).isSound)
  }
}
