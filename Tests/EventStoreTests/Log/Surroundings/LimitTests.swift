import EventStore
import Foundation
import TestSupport
import Testing

/// What happens at the limits of a batch and of the map.
@Suite(.timeLimit(.minutes(5))) struct LimitTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ count: Int) -> Batch {
    var batch = Batch()
    batch.add(.note, payload: [UInt8](repeating: 7, count: count).span.bytes)
    return batch
  }

  /// Takes over half a second: payloads at the limit are long.
  @Test func payload_atTheLimit_andOver() async throws {
    let log = try await Log.open(at: folder.path)
    let limit = Log.payloadBytesMax
    #expect(try await log.append(bytes(limit)) == 1...1)
    let error = LogError.tooLarge(what: "payload", bytes: limit + 1, limit: limit)
    await #expect(throws: error) { try await log.append(bytes(limit + 1)) }
    #expect(try await log.append(bytes(0)) == 2...2)
    try log.checkInvariants()
    #expect(try log.read { try $0.record(1)?.payload.count } == limit)
    await log.close()
  }

  @Test func batch_overItsBytes() async throws {
    let log = try await Log.open(at: folder.path)
    var batch = Batch()
    let part = [UInt8](repeating: 7, count: 8 << 20)
    for _ in 0..<8 { batch.add(.note, payload: part.span.bytes) }
    let limit = Log.batchBytesMax
    let error = LogError.tooLarge(what: "batch", bytes: batch.byteCount, limit: limit)
    await #expect(throws: error) { try await log.append(batch) }
    #expect(try log.last == 0)
    await log.close()
  }

  /// Takes over half a second: the batch is as long as is permitted.
  @Test func batch_atItsCount_andOver() async throws {
    let log = try await Log.open(at: folder.path)
    let limit = Log.batchCountMax
    var batch = Batch()
    for _ in 0..<limit { batch.add(.note) }
    let last = RecordNumber(rawValue: UInt64(limit))
    #expect(try await log.append(batch) == 1...last)
    batch.add(.note)
    let error = LogError.tooMany(of: "events of a batch", count: limit + 1, limit: limit)
    await #expect(throws: error) { try await log.append(batch) }
    #expect(try log.last == last)
    await log.close()
  }

  @Test func map_atItsCeiling_refusesAndStaysReadable() async throws {
    var options = Log.Options()
    (options.mapSize, options.mapSizeMax) = (1 << 16, 1 << 18)
    let log = try await Log.open(at: folder.path, options: options)
    let full = LogError.mapFull(path: folder.path)
    var count: UInt64 = 0
    await #expect(throws: full) {
      while true {
        try await log.append(bytes(5000))
        count += 1
      }
    }
    #expect(count > 20)
    await #expect(throws: full) { try await log.append(bytes(5000)) }
    #expect(try log.last.rawValue == count)
    try log.checkInvariants()
    await log.close()

    options.mapSizeMax = 1 << 20
    let again = try await Log.open(at: folder.path, options: options)
    #expect(try await again.append(bytes(5000)).lowerBound.rawValue == count + 1)
    try again.checkInvariants()
    await again.close()
  }

  /// A group that fails as a whole must not cancel the flush that is owed to earlier groups.
  @Test func map_atItsCeiling_stillFlushesWhatIsOwed() async throws {
    var options = Log.Options()
    (options.mapSize, options.mapSizeMax) = (1 << 16, 1 << 18)
    options.relaxedDelay = .milliseconds(400)
    let log = try await Log.open(at: folder.path, options: options)
    try await log.append(bytes(10), durability: .relaxed)
    await #expect(throws: LogError.mapFull(path: folder.path)) {
      try await log.append(bytes(1 << 19))
    }
    while log.head.durable == 0 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(log.head.durable == 1)
    await log.close()
  }

  @Test func relaxed_withoutEnd_isFlushedInTime() async throws {
    let log = try await Log.open(at: folder.path)
    let appending = Task {
      while !Task.isCancelled { try await log.append(.of("a"), durability: .relaxed) }
    }
    defer { appending.cancel() }
    while log.head.durable == 0 { try await Task.sleep(for: .milliseconds(5)) }
    appending.cancel()
    try await appending.value
    await log.close()
  }

  @Test func empty_batchIsAMistake() async {
    await #expect(processExitsWith: .failure) {
      let folder = try TemporaryFolder()
      let log = try await Log.open(at: folder.path)
      try await log.append(Batch())
    }
  }
}
