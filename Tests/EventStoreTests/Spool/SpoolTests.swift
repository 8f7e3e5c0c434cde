import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

@Suite struct SpoolTests {
  /// A log could not count on from such a login.
  @Test(arguments: [Login(account: .max, epoch: 1), Login(account: 1, epoch: .max)])
  func event_ofALoginThatIsTheLast_isRefused(login: Login) async throws {
    let place = try await SpoolFolder()
    var event = Event.note
    event.login = login
    try place.spool.write(event) { $0.put(1, "Lunch?") }
    #expect(try await place.log.drain(place.spool).records == [])
    #expect(try place.log.last == 0)
  }

  @Test func event_drained_isAsItWasWritten() async throws {
    let place = try await SpoolFolder()
    let event = Event(
      kind: EventKind(rawValue: .max), version: .max, origin: .intent,
      recordedAt: Timestamp(rawValue: -1), login: Login(account: Login.numberMax, epoch: 0),
      cause: .record(RecordNumber(rawValue: .max)), exchange: .record(3))
    try place.spool.write(event, about: "message/17") { $0.put(1, "Lunch?") }
    var known = Event.note
    known.entity = Fingerprint(rawValue: .max)
    try place.spool.write(known, payload: ([0xFF, 0] as [UInt8]).span.bytes)
    #expect(try await place.log.drain(place.spool).records == [1, 2])
    try place.log.read { snapshot in
      let first = try #require(try snapshot.record(1)).header
      #expect(first.kind == event.kind && first.version == .max && first.origin == .intent)
      #expect(first.recordedAt == event.recordedAt && first.login == event.login)
      #expect(first.cause == RecordNumber(rawValue: .max) && first.exchange == 3)
      #expect(first.entity == place.log.fingerprint(of: "message/17"))
      let second = try #require(try snapshot.record(2))
      #expect(second.header.entity == known.entity && second.payload == [0xFF, 0])
      #expect(second.header.login == nil && second.header.cause == nil)
    }
    #expect(try place.log.texts() == ["Lunch?", "?"])
    #expect(try place.folder.names() == [])
    await place.log.close()
  }

  @Test func events_areDrainedInTheOrderOfTheirMoments() async throws {
    let place = try await SpoolFolder()
    for moment in [3, Int64.min / 2, 0, -5, -Event.note.recordedAt.rawValue, 1] {
      try place.spool.write(.note(at: moment)) { $0.put(1, "\(moment)") }
    }
    _ = try await place.log.drain(place.spool)
    let moments = try place.log.texts().compactMap { Int64($0) }
    #expect(moments.count == 6 && moments == moments.sorted())
    await place.log.close()
  }

  @Test func events_ofOneMoment_areDrainedInTheOrderOfWriting() async throws {
    let place = try await SpoolFolder()
    let texts = (0..<20).map { "\($0)" }
    for text in texts { try place.spool.write(.note) { $0.put(1, text) } }
    _ = try await place.log.drain(place.spool)
    #expect(try place.log.texts() == texts)
    await place.log.close()
  }

  /// Events of two moments keep their order even if others come between them.
  @Test func events_ofTwoMomentsByTurns_keepTheirOrder() async throws {
    let place = try await SpoolFolder()
    for index in 0..<20 {
      try place.spool.write(.note(at: Int64(index % 2))) { $0.put(1, "\(index)") }
    }
    _ = try await place.log.drain(place.spool)
    let order = (0..<10).map { "\(2 * $0)" } + (0..<10).map { "\(2 * $0 + 1)" }
    #expect(try place.log.texts() == order)
    await place.log.close()
  }

  @Test func drain_ofNothing_writesNothing() async throws {
    let place = try await SpoolFolder()
    try place.put([1], as: "note.txt")
    try place.put([2], as: "b.event.refused")
    let data = try File(place.temporary.path(of: "data.mdb"), .read)
    let before = try data.bytes(at: 0, count: data.size())
    #expect(try await place.log.drain(place.spool) == Drained())
    #expect(try data.bytes(at: 0, count: data.size()) == before)
    #expect(try place.files() == ["note.txt": [1], "b.event.refused": [2]])
    await place.log.close()
  }

  @Test(arguments: [(1, 1 << 20), (3, 1 << 20), (256, 1), (256, 100)])
  func drain_inSmallRounds_isTheSame(countMax: Int, bytesMax: Int) async throws {
    let place = try await SpoolFolder()
    let texts = (0..<10).map { "\($0) " + String(repeating: ".", count: 30) }
    try place.write(texts)
    var limits = SpoolDrain.Limits()
    (limits.countMax, limits.bytesMax) = (countMax, bytesMax)
    let drained = try await place.log.drain(place.spool, limits: limits)
    #expect(drained.records == Array(1...10) && drained.refused == [])
    #expect(try place.log.texts() == texts)
    #expect(try place.folder.names() == [])
    await place.log.close()
  }

  @Test func unfinishedFiles_beyondAFew_areRemoved() async throws {
    let place = try await SpoolFolder()
    let names = (10..<40).map { "\($0).event.part" }
    for name in names { try place.put([], as: name) }
    _ = try await place.log.drain(place.spool)
    #expect(try place.folder.names() == Array(names.suffix(16)))
    await place.log.close()
  }

  @Test func write_atItsLimits() async throws {
    let place = try await SpoolFolder()
    let payload = [UInt8](repeating: 7, count: Log.payloadBytesMax + 1)
    let name = String(repeating: "é", count: Spool.entityBytesMax / 2)
    try place.spool.write(
      .note, about: name, payload: payload.span.bytes.extracting(droppingLast: 1))
    #expect(throws: LogError.tooLarge(what: "payload", bytes: payload.count, limit: 16 << 20)) {
      try place.spool.write(.note, payload: payload.span.bytes)
    }
    #expect(throws: LogError.tooLarge(what: "entity's name", bytes: 4097, limit: 4096)) {
      try place.spool.write(.note, about: name + "e")
    }
    #expect(try await place.log.drain(place.spool) == .of(1...1))
    try place.log.read { snapshot in
      let record = try #require(try snapshot.record(1))
      #expect(record.payload == payload.dropLast())
      #expect(record.header.entity == place.log.fingerprint(of: name))
    }
    #expect(try place.folder.names() == [])
    await place.log.close()
  }

  @Test func spool_withoutParent_isMissing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "a/b")
    #expect(throws: LogError.missing(path: path)) { try Spool(at: path) }
  }

  @Test func write_whoseFolderIsGone_isMissing() async throws {
    let place = try await SpoolFolder()
    try FileManager.default.removeItem(atPath: place.folder.path)
    #expect(throws: LogError.missing(path: place.spool.path)) { try place.spool.write(.note) }
    await #expect(throws: LogError.missing(path: place.spool.path)) {
      try await place.log.drain(place.spool)
    }
    // The log itself is unharmed.
    #expect(try await place.log.append(.of("a")) == 1...1)
    await place.log.close()
  }

  @Test func takenName_isLeftAlone() async throws {
    let place = try await SpoolFolder(seed: 5)
    let name = try place.spool.write(.note) { $0.put(1, "first") }
    let second = try Spool(at: place.spool.path, random: SeededGenerator(seed: 5))
    #expect(try second.write(.note) { $0.put(1, "second") } != name)
    _ = try await place.log.drain(place.spool)
    #expect(try place.log.texts() == ["first", "second"])
    await place.log.close()
  }

  @Test func event_ofABatch_traps() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      var event = Event.note
      event.cause = .sameBatch(0)
      try Spool(at: folder.path).write(event)
    }
    expect(end, says: "an event of the spool is in no batch")
  }

  @Test func event_aboutTwoEntities_traps() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      var event = Event.note
      event.entity = Fingerprint(rawValue: 1)
      try Spool(at: folder.path).write(event, about: "a")
    }
    expect(end, says: "an event is about one entity")
  }

  private func expect(_ end: ExitTest.Result?, says message: String) {
    // Release builds trap without a message.
    #if DEBUG
      let said = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains(message))
    #endif
  }
}

extension Drained {
  static func of(_ records: ClosedRange<RecordNumber>) -> Drained {
    Drained(records: Array(records), refused: [])
  }
}
