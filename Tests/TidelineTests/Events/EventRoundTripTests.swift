import EventStore
import TestSupport
import Testing
import Tideline

/// Events of every kind decode to what was encoded.
@Suite struct EventRoundTripTests {
  @Test func samples_areOfAllKinds() {
    let kinds = ObjectClass.allCases.map(\.kind) + EventCatalog.types.map { $0.kind }
    #expect(Set(EventSamples.all.map(\.kind)) == Set(kinds))
    #expect(EventSamples.all.count == kinds.count)
  }

  @Test func samples_sayEveryField() throws {
    for event in EventSamples.all where !(event is ObjectFact) {
      let type = try #require(EventCatalog.type(of: event.kind))
      let numbers = try PayloadFields(decoding: event.payload.span.bytes).map(\.number)
      let fields = EventShape(of: type).fields.map(\.number)
      #expect(Set(numbers).isSuperset(of: fields), "\(type)")
    }
  }

  @Test func samples_areReadAsTheyWere() throws {
    for event in EventSamples.all { try expectSame(event, "\(event)") }
  }

  @Test func randomEvents_areReadAsTheyWere() throws {
    for seed in 0..<UInt64(Campaign.size(100, long: 5_000)) {
      var coder = RandomCoder(generator: SeededGenerator(seed: seed))
      for type in EventCatalog.types { try expectSame(coder.event(type), "seed \(seed)") }
    }
  }

  @Test func randomObjects_areReadAsTheyWere() throws {
    for seed in 0..<UInt64(Campaign.size(500, long: 50_000)) {
      var coder = RandomCoder(generator: SeededGenerator(seed: seed))
      let fields = coder.random(ObjectFields.self)
      for objectClass in ObjectClass.allCases {
        try expectSame(ObjectFact(objectClass, fields), "seed \(seed)")
      }
    }
  }

  private func expectSame<E: InboxEvent>(_ event: E, _ origin: String) throws {
    let payload = event.payload
    let read = try EventCatalog.event(
      of: event.kind, version: event.version, payload.span.bytes)
    #expect(AnyHashable(read) == AnyHashable(event), "\(origin)")
    #expect(read.payload == payload && read.line == event.line, "\(origin)")
    #expect(read.origin == event.origin && read.entity == event.entity, "\(origin)")
  }

  @Test func lines_areOneLine() {
    for seed in 0..<50 as Range<UInt64> {
      var coder = RandomCoder(generator: SeededGenerator(seed: seed))
      for type in EventCatalog.types {
        let line = coder.event(type).line
        #expect(!line.contains { $0.isNewline || $0 == "\0" }, "seed \(seed): \(line)")
      }
    }
  }

  @Test func unknownFields_areSkippedByEvents() throws {
    var fields = try PayloadFields(decoding: MarkRead { $0.isRead = true }.payload.span.bytes)
    fields[511] = .text("new")
    fields[9_999] = .list([.null])
    let read = try MarkRead(decoding: fields.encoded.span.bytes)
    #expect(read == MarkRead { $0.isRead = true })
  }

  @Test func keys_haveTheirBytesInOrder() {
    let key = OperationKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
    #expect(key.line == "000102030405060708090a0b0c0d0e0f")
  }
}
