import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP

/// Every decoder either reads arbitrary bytes or reports what is wrong with them, and where.
@Suite struct DamageTests {
  private static let message =
    #"{"id":"m1","object":"message","subject":"H\u00e9 “x”","from":[{"name":"A","email":"a@x"}],"#
    + #""date":14e8,"to":["b"],"files":[{"id":"f1","size":"123"}],"#
    + #""folder":{"id":"in"},"x":[1.5,{}]}"#
  private static let delta =
    #"{"cursor":"a5","object":"message","event":"modify","id":"m1","attributes":\#(message)}"#
  private static let rich =
    #"{"id":1,"sendDateUtc":"2023-11-14","read":1,"media":{"url":"u"},"custom":[null]}"#

  static let samples: [[UInt8]] = [
    #"{"cursor_start":"a","deltas":[\#(delta),\#(delta)],"cursor_end":"b"}"#,
    delta, "[\(message),\(message)]", message,
    #"{"messages":[\#(rich)],"complete":true,"refreshAfter":60}"#,
    #"{"items":[{"id":"1","state":"read","outcome":"later","retryAfter":30}]}"#,
    #"{"cursor":"0"}"#, #"{"type":"invalid_request_error","message":"Invalid cursor parameter"}"#,
  ].map { Array($0.utf8) }

  @Test func samples_cutAnywhere_areReadOrThrow() {
    for sample in Self.samples {
      for count in sample.indices { check(Array(sample.prefix(count)), "\(count)") }
    }
  }

  // Takes a second or two in a debug build: every byte of every sample is changed in several ways.
  @Test func samples_changedAnywhere_areReadOrThrow() {
    let others: [UInt8] = [0, 0x22, 0x5C, 0x7B, 0x7D, 0x5B, 0x5D, 0x2C, 0x3A, 0x80, 0xFF, 0x31]
    for sample in Self.samples {
      var bytes = sample
      for place in sample.indices {
        for other in others {
          bytes[place] = other
          check(bytes, "\(place) \(other)")
        }
        bytes[place] = sample[place]
      }
    }
  }

  @Test func samples_editedAtRandom_areReadOrThrow() {
    for seed in 0..<UInt64(Campaign.size(300, long: 300_000)) {
      var drawer = JSONDrawer(seed: seed)
      var bytes = Self.samples[drawer.below(Self.samples.count)]
      for _ in 0...drawer.below(4) {
        let place = drawer.below(bytes.count)
        let end = min(bytes.count, place + drawer.below(20))
        switch drawer.below(4) {
        case 0: bytes[place] = UInt8(drawer.below(256))
        case 1 where bytes.count > 20: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: drawer.below(bytes.count))
        default: bytes.insert(contentsOf: drawer.written(drawer.anything()).utf8, at: place)
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      check(bytes, "seed \(seed)")
    }
  }

  @Test func randomBytes_areReadOrThrow() {
    for seed in 0..<UInt64(Campaign.size(500, long: 200_000)) {
      var drawer = JSONDrawer(seed: seed)
      let marks = Array(#"{}[]":,\u0e+-.1tfn "#.utf8)
      let isAny = drawer.once(in: 3)
      let bytes = (0..<drawer.below(60)).map { _ in
        isAny ? UInt8(drawer.below(256)) : marks[drawer.below(marks.count)]
      }
      check(bytes, "seed \(seed)")
    }
  }

  /// Runs every decoder on the bytes.
  private func check(_ bytes: [UInt8], _ origin: String) {
    check(bytes, origin) { bytes throws(JSONFault) in try DeltaPage(bytes).items }
    check(bytes, origin) { bytes throws(JSONFault) in try DeltaLine(bytes).items }
    check(bytes, origin) { bytes throws(JSONFault) in try RichPage(bytes).items }
    for objectClass in [ObjectClass.message, .rich, .other] {
      check(bytes, origin) { bytes throws(JSONFault) in
        try ObjectAnswer(bytes, of: objectClass).items
      }
    }
    check(bytes, origin) { bytes throws(JSONFault) in
      _ = try CursorAnswer(bytes)
      return .none
    }
    let upload = StatusUpload([.init("1", .read)], key: OperationKey())
    if StatusAnswer(bytes.payloadBytes, to: upload).outcomes.count != 1 {
      Issue.record("an item has no outcome, \(origin)")
    }
    _ = ServerError(bytes)
  }

  /// Checks that each fact survives its own encoding, and that each refusal says where and why.
  private func check(
    _ bytes: [UInt8], _ origin: String,
    _ decode: (RawSpan) throws(JSONFault) -> WireItems
  ) {
    let items: WireItems
    do throws(JSONFault) { items = try decode(bytes.payloadBytes) } catch {
      if !(0...bytes.count).contains(error.offset) || error.description.isEmpty {
        Issue.record("\(error) is nowhere in \(bytes.count) bytes, \(origin)")
      }
      return
    }
    for fact in items.facts {
      let payload = fact.payload
      let again = try? ObjectFact(fact.objectClass, decoding: payload.payloadBytes)
      if again != fact { Issue.record("\(fact.line) is two facts, \(origin)") }
    }
    for item in items.refused {
      let isInside = (0...Int64(bytes.count)).contains(item.offset ?? -1)
      let content = item.content?.bytes ?? []
      if !isInside || item.reason.isEmpty || content.isEmpty {
        Issue.record("\(item.line) is refused for nothing, \(origin)")
      }
    }
  }

  /// Two independent readers agree on what is valid JSON.
  @Test func scanner_refusesWhatTheParserRefuses() {
    for seed in 0..<UInt64(Campaign.size(3_000, long: 300_000)) {
      var drawer = JSONDrawer(seed: seed)
      var bytes = Array(drawer.written(drawer.anything()).utf8)
      for _ in 0..<drawer.below(3) where !bytes.isEmpty {
        let place = drawer.below(bytes.count)
        if drawer.once(in: 2) { bytes.remove(at: place) } else { bytes[place] = Self.mark(&drawer) }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(isJSON(bytes) == parses(bytes), "seed \(seed): \(text)")
    }
  }

  private static func mark(_ drawer: inout JSONDrawer) -> UInt8 {
    let marks = Array(#"{}[]":,\u0e+-.1tfn "#.utf8)
    return marks[drawer.below(marks.count)]
  }

  private func isJSON(_ bytes: [UInt8]) -> Bool {
    var scanner = JSONScanner(bytes.payloadBytes)
    do throws(JSONFault) {
      _ = try scanner.value()
      try scanner.finish()
      return true
    } catch {
      return false
    }
  }

  /// Appends a space, as the parser considers a number at the very end cut off.
  private func parses(_ bytes: [UInt8]) -> Bool {
    var parser = JSONParser(bytes + [0x20])
    return (try? parser.parse()) != nil && !parser.isCutOff
  }
}
