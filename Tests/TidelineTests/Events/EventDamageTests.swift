import EventStore
import TestSupport
import Testing
import Tideline

/// Any bytes decode to an event, or throw an error that says what is wrong with them.
@Suite struct EventDamageTests {
  // Takes a second or two in a debug build: the test tries every prefix and bit of every kind.
  @Test func samples_cutOrFlippedAnywhere_areReadOrThrow() {
    for event in EventSamples.all {
      var bytes = event.payload
      for count in bytes.indices { check(event.kind, Array(bytes.prefix(count)), "\(count)") }
      for bit in 0..<(bytes.count * 8) {
        bytes[bit / 8] ^= 1 << (bit % 8)
        check(event.kind, bytes, "bit \(bit)")
        bytes[bit / 8] ^= 1 << (bit % 8)
      }
    }
  }

  @Test func randomBytes_areReadOrThrow() {
    for seed in 0..<UInt64(Campaign.size(200, long: 100_000)) {
      var coder = RandomCoder(generator: SeededGenerator(seed: seed))
      let bytes = coder.bytes() + coder.bytes()
      for event in EventSamples.all { check(event.kind, bytes, "seed \(seed)") }
    }
  }

  @Test func randomEvents_withRandomEdits_areReadOrThrow() {
    for seed in 0..<UInt64(Campaign.size(100, long: 10_000)) {
      var coder = RandomCoder(generator: SeededGenerator(seed: seed))
      for type in EventCatalog.types {
        var bytes = coder.event(type).payload
        guard !bytes.isEmpty else { continue }
        for _ in 0...coder.number(below: 3) {
          let place = coder.number(below: bytes.count)
          bytes[place] = UInt8(truncatingIfNeeded: coder.generator.next())
        }
        check(type.kind, bytes, "seed \(seed)")
      }
    }
  }

  @Test func fieldsOfOtherTypes_areReadOrThrow() {
    let values: [PayloadValue] = [
      .null, .boolean(true), .integer(-1), .integer(.max), .double(.nan), .text("é"),
      .bytes([1]), .fields([:]), .fields([1: .integer(99)]), .list([]), .list([.fields([:])]),
    ]
    for event in EventSamples.all {
      let fields = try? PayloadFields(decoding: event.payload.span.bytes)
      for number in fields?.map(\.number) ?? [] {
        for value in values {
          var changed = fields ?? [:]
          changed[number] = value
          check(event.kind, changed.encoded, "field \(number) = \(value)")
        }
      }
    }
  }

  /// Decodes the bytes and checks that a decoded event survives another round trip.
  private func check(_ kind: EventKind, _ bytes: [UInt8], _ origin: String) {
    do throws(EventError) {
      let event = try EventCatalog.event(of: kind, version: 1, bytes.span.bytes)
      let again = try EventCatalog.event(of: kind, version: 1, event.payload.span.bytes)
      if AnyHashable(event) != AnyHashable(again) || event.line.isEmpty {
        Issue.record("\(kind) \(bytes) is two events, \(origin)")
      }
    } catch {
      guard error.kind != kind || error.description.isEmpty else { return }
      Issue.record("\(error) does not tell the kind \(kind), \(origin)")
    }
  }

  @Test(arguments: [
    (EventKind(rawValue: 0x0401), 1, [] as [UInt8], "Event of kind 0x0401, field class: a "),
    (EventKind(rawValue: 0x0401), 1, [0x13, 98], "field class: the code 49 is unknown"),
    (EventKind(rawValue: 0x0401), 2, [], "version 2 is unknown; known are 1 to 1"),
    (EventKind(rawValue: 0x0999), 1, [], "Event of kind 0x0999: the kind is unknown"),
    (EventKind(rawValue: 0x0103), 1, [], "Event of kind 0x0103, field id: a required value"),
    (EventKind(rawValue: 0x0301), 1, [0x82, 0x40], "Event of kind 0x0301, field id: a required"),
    (EventKind(rawValue: 0x0801), 1, [0x13, 14, 0x25, 0, 0x46, 1, 7], "key: expected 16 bytes"),
    (EventKind(rawValue: 0x0103), 1, [0x13, 14], "expected text, found integer, at byte"),
    (EventKind(rawValue: 0x0103), 1, [0x15, 9], "a length of 9 reaches beyond the end, at byte"),
  ])
  func errors_sayWhatIsWrong(kind: EventKind, version: Int, bytes: [UInt8], text: String) {
    let error = #expect(throws: EventError.self) {
      try EventCatalog.event(of: kind, version: UInt8(version), bytes.span.bytes)
    }
    #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
  }
}
