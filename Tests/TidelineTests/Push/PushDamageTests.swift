import EventStore
import TestSupport
import Testing
import Tideline

/// Any bytes are either read as a push, or refused with an error that says what is wrong.
@Suite struct PushDamageTests {
  private static let keys = [PushKeys.marketingCloud, .engage, .tideline]

  // Takes about a second in a debug build: every prefix of every sample is tried.
  @Test func samples_cutAnywhere_areReadOrRefused() {
    for sample in PushSample.all {
      let bytes = Array(sample.json.utf8)
      for count in bytes.indices { check(Array(bytes.prefix(count)), "\(sample.name), \(count)") }
    }
  }

  /// A truncated message is reported as cut off, or read as a part of itself, never as another's.
  @Test func messages_cutAnywhere_arePartsOrCutOff() throws {
    for sample in PushSample.all where sample.expected[0] == "message" {
      let bytes = Array(sample.json.utf8)
      for count in 0..<(bytes.count - 1) {
        do throws(PushError) {
          let payload = try PushPayload(json: Array(bytes.prefix(count)))
          let push = try payload.received(by: sample.keys)
          #expect(payload.isCutOff && push.kind == .message, "\(sample.name), \(count)")
        } catch {
          #expect(error == .cutOff, "\(sample.name), \(count)")
        }
      }
    }
  }

  @Test func samples_withRandomEdits_areReadOrRefused() {
    let alphabet = Array(#"{}[]":,\u0dde1-.e_m/ "#.utf8) + [0, 0xC3, 0xFF, 0x0A]
    for seed in 0..<UInt64(Campaign.size(3_000, long: 100_000)) {
      var random = RandomPush(seed: seed)
      var bytes = Array(PushSample.all[random.number(below: PushSample.all.count)].json.utf8)
      for _ in 0...random.number(below: 4) where !bytes.isEmpty {
        let place = random.number(below: bytes.count)
        let end = min(bytes.count, place + random.number(below: 3))
        bytes.replaceSubrange(place..<end, with: [alphabet[random.number(below: alphabet.count)]])
      }
      check(bytes, "seed \(seed)")
    }
  }

  @Test func randomBytes_areReadOrRefused() {
    let alphabet = Array(#"{}[]":,\u0dtrue1-"#.utf8)
    for seed in 0..<UInt64(Campaign.size(3_000, long: 100_000)) {
      var random = RandomPush(seed: seed)
      let bytes = (0..<random.number(below: 40)).map { _ in
        random.number(below: 8) == 0
          ? UInt8(random.number(below: 256)) : alphabet[random.number(below: alphabet.count)]
      }
      check(bytes, "seed \(seed)")
      check(Array(#"{"_sid":"SFMC","_mt":8,"_m":"#.utf8) + bytes, "seed \(seed)")
    }
  }

  @Test func randomPayloads_areReadOrRefused() {
    for seed in 0..<UInt64(Campaign.size(1_000, long: 100_000)) {
      var random = RandomPush(seed: seed)
      var members = random.object()
      let names = [
        "aps", "inbox", "uniqueID", "isRich", "_sid", "_mt", "_m", "extraFields", "alert",
      ]
      for name in names where random.number(below: 2) == 0 { members[name] = random.value() }
      check(Array(JSONValue.object(members).text.utf8), "seed \(seed)")
    }
  }

  /// Reads bytes by all keys: a payload that is read encodes to the same payload again.
  private func check(_ bytes: [UInt8], _ origin: String) {
    guard let payload = try? PushPayload(json: bytes) else { return }
    let again = try? PushPayload(json: Array(payload.json.utf8))
    #expect(again?.members == payload.members, "\(origin)")
    for keys in Self.keys {
      guard let push = try? payload.received(by: keys),
        let event = push.event(isForeground: false)
      else { continue }
      let read = try? EventCatalog.event(
        of: event.kind, version: event.version, event.payload.span.bytes)
      #expect(read.map { AnyHashable($0) } == AnyHashable(event), "\(origin)")
    }
  }
}
