import EventStore
import TestSupport
import Testing

/// After every step of a random history, a log equals a plain list.
@Suite(.timeLimit(.minutes(10))) struct HistoryTests {
  /// Takes a few seconds: a history has many steps, and all of it is checked after each.
  @Test func histories_areThoseOfAList() async throws {
    for seed in 0..<UInt64(Campaign.size(10, long: 300)) {
      var history = try await History(seed: seed)
      do {
        for _ in 0..<30 { try await history.step() }
      } catch {
        Issue.record(error, "seed \(seed)")
      }
      await history.end()
    }
  }
}

/// A log, the list of what was appended to it, and what is kept from step to step.
private struct History {
  private let folder: TemporaryFolder
  private var generator: SeededGenerator
  private let message: Comment
  private var log: Log
  private var entries: [HistoryEntry] = []
  private var positions: [Position] = []
  private var follower: RecordSequence.Iterator
  private var followed = 0

  init(seed: UInt64) async throws {
    folder = try TemporaryFolder()
    generator = SeededGenerator(seed: seed)
    message = "seed \(seed)"
    log = try await Log.open(at: folder.path)
    follower = log.records(from: 1).makeAsyncIterator()
  }

  mutating func step() async throws {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<4: try await append()
    case 4, 5: try await appendAtOnce()
    case 6: try await reopen()
    case 7: try readRange()
    case 8: try await follow()
    case 9: try readOne()
    case 10: positions.append(try await log.position(at: randomNumber(from: 0)))
    default: try scan()
    }
    try expectWhole()
  }

  func end() async { await log.close() }

  /// Returns a random number, from `first` to the last record's.
  private mutating func randomNumber(from first: Int) -> RecordNumber {
    let number = Int.random(in: first...max(first, entries.count), using: &generator)
    return RecordNumber(rawValue: UInt64(number))
  }

  private mutating func randomBatch() -> (batch: Batch, contents: [(Event, [UInt8])]) {
    var (batch, contents) = (Batch(), [(Event, [UInt8])]())
    for index in 0..<Int.random(in: 1...6, using: &generator) {
      let event = Event.random(batchIndex: index, using: &generator)
      let payload = [UInt8].randomPayload(using: &generator)
      #expect(batch.add(event, payload: payload.span.bytes) == index, message)
      contents.append((event, payload))
    }
    return (batch, contents)
  }

  private mutating func append() async throws {
    let (batch, contents) = randomBatch()
    let durability: Durability = Bool.random(using: &generator) ? .full : .relaxed
    note(contents, try await log.append(batch, durability: durability))
    if durability == .full { #expect(log.head.durable.rawValue == UInt64(entries.count), message) }
  }

  /// Appends several batches at once, so that they share commits.
  private mutating func appendAtOnce() async throws {
    let batches = (0..<5).map { _ in randomBatch() }
    let log = log
    let numbers = try await withThrowingTaskGroup { group in
      for (index, batch) in batches.map(\.batch).enumerated() {
        group.addTask {
          (index, try await log.append(batch, durability: index % 2 == 0 ? .relaxed : .full))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for (index, numbers) in numbers.sorted(by: { $0.1.lowerBound < $1.1.lowerBound }) {
      note(batches[index].contents, numbers)
    }
  }

  private mutating func note(
    _ contents: [(Event, [UInt8])], _ numbers: ClosedRange<RecordNumber>
  ) {
    #expect(numbers.lowerBound.rawValue == UInt64(entries.count + 1), message)
    #expect(numbers.count == contents.count, message)
    entries += contents.enumerated().map { index, content in
      HistoryEntry(content.0, content.1, index: index, batchBeginsAt: numbers.lowerBound)
    }
  }

  private mutating func reopen() async throws {
    let (store, incarnation) = (log.store, log.incarnation)
    if Bool.random(using: &generator) { await log.close() }
    log = try await reopened()
    #expect(log.store == store && log.incarnation == incarnation, message)
    follower = log.records(from: RecordNumber(rawValue: UInt64(followed + 1))).makeAsyncIterator()
  }

  private func reopened() async throws -> Log {
    await log.close()
    return try await Log.open(at: folder.path)
  }

  private mutating func readRange() throws {
    let first = randomNumber(from: 1)
    let limit = Int.random(in: 1...10, using: &generator)
    let read = try log.read { snapshot throws(LogError) in
      var read: [HistoryEntry] = []
      var cursor = try snapshot.records(from: first)
      while read.count < limit, try cursor.next() {
        read.append(HistoryEntry(cursor.record.record))
      }
      return read
    }
    #expect(read == Array(entries.dropFirst(Int(first.rawValue) - 1).prefix(limit)), message)
  }

  private mutating func readOne() throws {
    let number = randomNumber(from: 1)
    let record = try log.read { snapshot throws(LogError) in try snapshot.record(number) }
    let expected = entries.dropFirst(Int(number.rawValue) - 1).first
    #expect(record.map { HistoryEntry($0) } == expected, message)
    let beyond = try log.read { try $0.record(RecordNumber(rawValue: UInt64(entries.count + 1))) }
    #expect(beyond == nil, message)
    #expect(throws: LogError.compacted(floor: 0)) { try log.read { try $0.record(0) } }
  }

  private mutating func follow() async throws {
    for entry in entries.dropFirst(followed) where Int.random(in: 0..<20, using: &generator) != 0 {
      guard entry.number.rawValue == UInt64(followed + 1) else { break }
      let record = try await follower.next()
      #expect(record.map { HistoryEntry($0) } == entry, message)
      followed += 1
    }
  }

  private mutating func scan() throws {
    let first = randomNumber(from: 1)
    for entity in (1...6).map(Fingerprint.init(rawValue:)) {
      let found = try log.read { snapshot throws(LogError) in
        var found: [HistoryEntry] = []
        var cursor = try snapshot.records(from: first)
        while try cursor.next(about: entity) { found.append(HistoryEntry(cursor.record.record)) }
        return found
      }
      let expected = entries.filter { $0.event.entity == entity && $0.number >= first }
      #expect(found == expected, message)
    }
  }

  /// Expects the whole log to equal the list, however it is read.
  private func expectWhole() throws {
    try log.checkInvariants()
    let last = RecordNumber(rawValue: UInt64(entries.count))
    let (all, numbers) = try log.read { snapshot throws(LogError) in
      var all: [HistoryEntry] = []
      var cursor = try snapshot.records()
      while try cursor.next() { all.append(HistoryEntry(cursor.record.record)) }
      return (all, snapshot.numbers)
    }
    #expect(all == entries, message)
    #expect(try log.last == last && numbers == (entries.isEmpty ? nil : 1...last), message)
    for position in positions { #expect(try log.holds(position), message) }
  }
}
