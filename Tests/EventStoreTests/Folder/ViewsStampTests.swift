import EventStore
import LMDB
import TestSupport
import Testing

/// The stamp that the log keeps for its views.
@Suite struct ViewsStampTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func stamp_isKept_andTakenOut() async throws {
    var log = try await Log.open(at: folder.path)
    #expect(try log.standing().stamp == nil)
    try await log.stampViews(.sample)
    #expect(try log.standing().stamp == .sample)
    await log.close()
    log = try await Log.open(at: folder.path)
    try await log.append(.of("a", "b"))
    let standing = try log.standing()
    #expect(standing.stamp == .sample && standing.last == 2 && standing.floor == 0)
    #expect(standing.store == log.store && standing.incarnation == log.incarnation)
    try await log.stampViews(nil)
    #expect(try log.standing().stamp == nil)
    try log.checkInvariants()
    await log.close()
  }

  /// A stamp that the log already has is not written again.
  @Test func stamp_thatIsThere_costsNoTransaction() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    try await log.stampViews(nil)
    let before = try log.file.environment.lastTransaction
    try await log.stampViews(nil)
    #expect(try log.file.environment.lastTransaction == before)
    try await log.stampViews(.sample)
    try await log.stampViews(.sample)
    #expect(try log.file.environment.lastTransaction == before + 1)
    #expect(try await log.append(.of("b")) == 2...2)
    await log.close()
  }

  @Test func stamp_ofBytesThatAreNone_isNone() {
    let bytes = CleanStamp.sample.bytes
    #expect(CleanStamp(bytes.raw) == .sample)
    for count in 0..<bytes.count { #expect(CleanStamp(Array(bytes.prefix(count)).raw) == nil) }
  }

  /// A copy of the log has another incarnation, so the stamp is of no use to it.
  @Test func copy_ofALog_trustsNoViews() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    try await log.stampViews(.sample)
    let backup = try TemporaryFolder()
    try await log.backup(to: backup.path, compacting: false)
    let copy = try await Log.open(at: backup.path)
    #expect(copy.incarnation != log.incarnation)
    var pointer = ViewsPointer.sample
    (pointer.store, pointer.incarnation) = (log.store, log.incarnation)
    let trust = Trust(
      in: pointer, found: .sound(pointer.data, transaction: 44), boot: .now,
      log: try copy.standing(), recipe: .sample)
    #expect(trust == .distrusted(.otherCopy))
    await log.close()
    await copy.close()
  }

  @Test func applied_isComparedWithTheLogsOwnChain() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a", "b", "c"))
    let position = try await log.position(at: 2)
    let header = try #require(
      try log.read { snapshot throws(LogError) in try snapshot.record(2) }?.header)
    let trust = { (number: RecordNumber, chain: UInt32) in
      try log.trust(LogPoint(number: number, chain: chain), in: 3)
    }
    #expect(position.number == 2)
    #expect(try trust(2, header.chain) == .trusted)
    #expect(try trust(2, header.chain ^ 1) == .distrusted(.otherHistory))
    #expect(try trust(1, header.chain) == .distrusted(.otherHistory))
    #expect(try trust(0, Chain(of: log.store).value) == .trusted)
    #expect(try trust(0, 0) == .distrusted(.otherHistory))
    #expect(try trust(4, header.chain) == .distrusted(.ahead))
    #expect(try trust(RecordNumber(rawValue: .max), 0) == .distrusted(.ahead))
    await log.close()
  }

  @Test func readOnlyLog_isNotStamped() async throws {
    await (try Log.open(at: folder.path)).close()
    var options = Log.Options()
    options.isReadOnly = true
    let log = try await Log.open(at: folder.path, options: options)
    #expect(try log.standing().stamp == nil)
    await #expect(throws: LogError.readOnly(path: folder.path)) { try await log.stampViews(nil) }
    await log.close()
  }
}
