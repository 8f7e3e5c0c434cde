import EventStore
import TestSupport
import Testing

/// Lost, swapped, and changed records are each named, and all others are read.
@Suite struct DamageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a log of ten records, alternately about two things; returns the fingerprint of the
  /// second.
  private func makeLog() async throws -> Fingerprint {
    let log = try await Log.open(at: folder.path)
    var (batch, event) = (Batch(), Event.note)
    for number in 1...10 {
      event.entity = log.fingerprint(of: number % 2 == 0 ? "even" : "odd")
      batch.add(event) { $0.put(1, "note \(number)") }
    }
    try await log.append(batch)
    await log.close()
    return log.fingerprint(of: "even")
  }

  /// Expects a cursor, a follower, and a full check to find the damage.
  private func expect(
    _ damage: Damage, damaged: [UInt64], lost: [UInt64]? = nil,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    _ = try await makeLog()
    try damage.inflict(on: folder)
    let log = try await Log.open(at: folder.path)
    let whole = (1...10).filter { !(lost ?? damaged).contains($0) }
    let expected = Findings(whole: whole, damaged: damaged)
    #expect(try Findings(reading: log) == expected, "\(damage)", sourceLocation: location)
    let followed = try await Findings(following: log, from: 1)
    #expect(followed == expected, "\(damage)", sourceLocation: location)
    do throws(LogError) {
      try log.checkInvariants()
      Issue.record("\(damage) was not found", sourceLocation: location)
    } catch {
      guard case .damagedRecord(let number, _) = error else { throw error }
      #expect(number.rawValue == damaged.first, "\(damage)", sourceLocation: location)
    }
    await log.close()
  }

  /// A follower once reported the same hole again and again.
  @Test(arguments: [1...1, 5...5, 3...7, 1...9] as [ClosedRange<UInt64>])
  func hole(numbers: ClosedRange<UInt64>) async throws {
    try await expect(.removal(numbers), damaged: [numbers.lowerBound], lost: Array(numbers))
  }

  @Test func swap_isFound() async throws {
    try await expect(.swap(4, 5), damaged: [4, 5, 6], lost: [4, 5, 6])
  }

  /// A number that is too low, or that no record has yet.
  @Test(arguments: [2, 4, 11, 1 << 40] as [UInt64])
  func numberOfAnother_isThatOfARecordThatIsMissing(other: UInt64) async throws {
    try await expect(.renumbering(5, as: other), damaged: [5])
  }

  /// A file can't have so many records that its last one has such a number.
  @Test(arguments: [1 << 20, 1 << 40, 1 << 50] as [UInt64])
  func numberThatIsTooHigh_isNotBelievedOfTheLast(other: UInt64) async throws {
    _ = try await makeLog()
    try Damage.renumbering(10, as: other).inflict(on: folder)
    let detail = "the last record's number, \(other)"
    await #expect(throws: LogError.damagedFile(path: folder.path, detail: detail)) {
      try await Log.open(at: folder.path)
    }
    #expect(try !Log.check(at: folder.path).isSound)
  }

  /// Takes about a second: each flipped bit gets a log of its own.
  @Test(.defect(.lmdb, 2)) func flip_ofAnyBit_isFoundAtItsRecord() async throws {
    let (headerBytes, payloadBytes) = (36, 8)
    for bit in 0..<(headerBytes + payloadBytes) * 8 where bit % Campaign.size(13, long: 1) == 0 {
      let test = try DamageTests()
      try await test.expect(.flip(5, bit: bit), damaged: [5])
    }
  }

  @Test(arguments: [1, 27, 28, 35, 36, 40])
  func truncation_isFoundAtItsRecord(count: Int) async throws {
    try await expect(.truncation(5, count: count), damaged: [5])
  }

  @Test func reading_fromBehindDamage_findsNone() async throws {
    let flips = stride(from: 0, through: 300, by: 12).map { Damage.flip(5, bit: $0) }
    for damage in [Damage.removal(5...5), .truncation(5, count: 3)] + flips {
      let test = try DamageTests()
      _ = try await test.makeLog()
      try damage.inflict(on: test.folder)
      let log = try await Log.open(at: test.folder.path)
      let found = try Findings(reading: log, from: 6)
      #expect(found == Findings(whole: [6, 7, 8, 9, 10], damaged: []))
      #expect(try log.read { try $0.record(6) }?.text == "note 6")
      await log.close()
    }
  }

  @Test func scanAboutAnEntity_passesOverDamage() async throws {
    let even = try await makeLog()
    try Damage.flip(3, bit: 0).inflict(on: folder)
    try Damage.removal(6...7).inflict(on: folder)
    let log = try await Log.open(at: folder.path)
    let found = try log.read { snapshot throws(LogError) in
      var found: [UInt64] = []
      var cursor = try snapshot.records()
      while try cursor.next(about: even) { found.append(cursor.number.rawValue) }
      return found
    }
    #expect(found == [2, 4, 8, 10])
    await log.close()
  }

  @Test func cursor_atTheEnd_staysThere() async throws {
    _ = try await makeLog()
    let log = try await Log.open(at: folder.path)
    try log.read { snapshot throws(LogError) in
      var cursor = try snapshot.records(from: 9)
      for expected in [true, true, false, false, false] {
        let isThere = try cursor.next()
        #expect(isThere == expected)
      }
    }
    await log.close()
  }

  @Test func header_ofTheLastRecord_damaged_isNamed() async throws {
    _ = try await makeLog()
    try Damage.flip(10, bit: 0).inflict(on: folder)
    await #expect {
      try await Log.open(at: folder.path)
    } throws: { error in
      guard case .damagedFile(_, let detail) = error as? LogError else { return false }
      return detail.contains("record 10")
    }
  }
}
