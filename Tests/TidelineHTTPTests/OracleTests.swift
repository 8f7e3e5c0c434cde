import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineHTTP

/// Decoders read every valid answer of a server just as Foundation's JSON tree has it.
@Suite struct OracleTests {
  private static let classes: [ObjectClass] = [
    .thread, .message, .draft, .tag, .contact, .file, .account,
  ]

  // Takes a second or two in a debug build, mostly in Foundation.
  @Test func objects_areWhatASlowDecoderFinds() throws {
    for seed in 0..<UInt64(Campaign.size(400, long: 40_000)) {
      var drawer = JSONDrawer(seed: seed)
      let objectClass = Self.classes[drawer.below(Self.classes.count)]
      let objects = (0..<drawer.below(4)).map { drawer.object(objectClass, id: "o\($0)") }
      let text = drawer.written(.list(objects))
      let tree = try JSONSerialization.jsonObject(with: Data(text.utf8))
      let expected = try #require(tree as? [[String: Any]])
      let items = try Reading.objects(text, objectClass, as: .changed).items
      #expect(items.refused.isEmpty, "seed \(seed): \(items.refused.map(\.line))")
      #expect(items.facts.count == expected.count, "seed \(seed)")
      for (fact, object) in zip(items.facts, expected) {
        try compare(fact, objectClass, object, seed)
      }
    }
  }

  @Test func deltas_areWhatASlowDecoderFinds() throws {
    for seed in 0..<UInt64(Campaign.size(200, long: 20_000)) {
      var drawer = JSONDrawer(seed: seed)
      let objectClass = Self.classes[drawer.below(Self.classes.count)]
      let name = objectClass == .account ? "namespace" : "\(objectClass)"
      let attributes = drawer.object(objectClass, id: drawer.once(in: 2) ? "o" : nil)
      let delta = Drawn.object([
        .init(name: "id", value: .text("o")), .init(name: "object", value: .text(name)),
        .init(name: "event", value: .text(drawer.once(in: 2) ? "create" : "modify")),
        .init(name: "cursor", value: drawer.anything()),
        .init(name: "attributes", value: attributes),
      ])
      let text = drawer.written(
        .object([
          .init(name: "deltas", value: .list([delta])),
          .init(name: "cursor_end", value: .text("é")), .init(name: "x", value: drawer.anything()),
        ]))
      let page = try Reading.deltas(text)
      #expect(page.end == "é" && page.items.refused.isEmpty, "seed \(seed)")
      let tree = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let object = try #require((tree?["deltas"] as? [[String: Any]])?.first)
      var expected = try #require(object["attributes"] as? [String: Any])
      expected["id"] = "o"
      try compare(try #require(page.items.facts.first), objectClass, expected, seed)
    }
  }

  private func compare(
    _ fact: ObjectFact, _ objectClass: ObjectClass, _ object: [String: Any], _ seed: UInt64
  ) throws {
    let (fields, unknown) = try SlowDecoder.fields(of: objectClass, object)
    var found = fact.fields
    let kept = found.json(.unknown).map { Data($0) }
    found.remove(.unknown)
    found.remove(.change)
    #expect(fact.objectClass == objectClass && found == fields, "seed \(seed): \(found.line)")
    let keptTree = try kept.map { try JSONSerialization.jsonObject(with: $0) } ?? [String: Any]()
    let isSame = (keptTree as? NSDictionary) == (unknown as NSDictionary)
    #expect(isSame, "seed \(seed)")
    // A payload that was written directly decodes to the same fact.
    #expect(try ObjectFact(objectClass, decoding: fact.payload.payloadBytes) == fact)
  }
}

extension JSONDrawer {
  /// Draws an object of a class, whose members are each present, absent or null.
  mutating func object(_ objectClass: ObjectClass, id: String?) -> Drawn {
    var pairs: [Drawn.Pair] = []
    let members = SlowDecoder.members(of: objectClass).sorted { $0.key < $1.key }
    for (name, (_, kind)) in members where name != "id" && !once(in: 3) {
      pairs.append(.init(name: name, value: once(in: 8) ? .null : value(kind)))
    }
    if let id { pairs.append(.init(name: "id", value: .text(id))) }
    for index in 0..<below(3) { pairs.append(.init(name: "odd \(index)", value: anything())) }
    return .object(pairs)
  }

  private mutating func value(_ kind: SlowDecoder.Kind) -> Drawn {
    switch kind {
    case .text: plain()
    case .integer: number()
    case .flag: [.flag(true), .flag(false), .integer(0), .integer(1), .text("true")][below(5)]
    case .time: time()
    case .people: .list((0..<below(4)).map { _ in person() })
    case .labels: .list((0..<below(4)).map { _ in label() })
    case .texts: .list((0..<below(4)).map { _ in plain() })
    case .files: .list((0..<below(3)).map { object(.file, id: "f\($0)").withoutOdd })
    }
  }

  private mutating func plain() -> Drawn {
    once(in: 6) ? .integer(Int64(below(1000))) : .text(text())
  }

  private mutating func number() -> Drawn {
    let integer = Int64(below(1 << 40)) - (1 << 39)
    return once(in: 4) ? .text(integer.description) : .integer(integer)
  }

  private mutating func time() -> Drawn {
    switch below(5) {
    case 0: .text("2023-11-14T22:13:\(10 + below(50))Z")
    case 1: .text(text())
    case 2: .integer(1_700_000_000_000 + Int64(below(1_000_000)))
    default: .integer(Int64(below(2_000_000_000)) - 1_000_000)
    }
  }

  private mutating func person() -> Drawn {
    guard !once(in: 5) else { return .text(text()) }
    let name = once(in: 4) ? Drawn.null : .text(text())
    return .object([.init(name: "name", value: name), .init(name: "email", value: plain())])
  }

  private mutating func label() -> Drawn {
    guard !once(in: 3) else { return .text(text()) }
    return .object([
      .init(name: "id", value: plain()), .init(name: "name", value: once(in: 4) ? .null : plain()),
      .init(name: "display_name", value: plain()),
    ])
  }
}

extension Drawn {
  /// The object without the members that have no field.
  fileprivate var withoutOdd: Drawn {
    guard case .object(let pairs) = self else { return self }
    return .object(pairs.filter { !$0.name.hasPrefix("odd") })
  }
}
