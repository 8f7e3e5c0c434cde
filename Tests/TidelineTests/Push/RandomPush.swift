import EventStore
import TestSupport
import Tideline

/// Random JSON, and random payloads of pushes.
struct RandomPush {
  private(set) var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  mutating func text() -> String {
    let alphabet: [Character] = [
      "a", "_", "é", "e\u{301}", "\u{301}", "🐚", "\0", "\"", "\\", "\n", "/", "7",
    ]
    return String((0..<number(below: 6)).map { _ in alphabet[number(below: alphabet.count)] })
  }

  mutating func value(depth: Int = 0) -> JSONValue {
    switch number(below: depth < 4 ? 9 : 6) {
    case 0: .null
    case 1: .boolean(number(below: 2) == 0)
    case 2: .number("\(Int64.random(in: .min ... .max, using: &generator))")
    case 3: .number("-0.\(number(below: 1000))e+\(number(below: 400))")
    case 4, 5: .string(text())
    case 6: .array((0..<number(below: 4)).map { _ in value(depth: depth + 1) })
    default: .object(object(depth: depth + 1))
    }
  }

  mutating func object(depth: Int = 0) -> JSONObject {
    JSONObject((0..<number(below: 5)).map { _ in (text(), value(depth: depth)) })
  }

  /// Returns a message of Marketing Cloud with some of its parts, and members of all kinds.
  mutating func message() -> JSONObject {
    var members = object()
    for name in Self.parts where number(below: 2) == 0 {
      let odd = number(below: 4) == 0 ? value() : .null
      // A number would become a text, and could not be told from one.
      members[name] = odd == .null || odd.asText != nil ? .string(text() + "x") : odd
    }
    members["_sid"] = .string("SFMC")
    members["_mt"] = .number("8")
    members["_m"] = .string("m" + text())
    return members
  }

  private static let parts = [
    "_r", "_h", "_od", "_x", "_mediaUrl", "_mediaAlt", "title", "subtitle", "alert", "sound", "aps",
    "_new", "mine",
  ]

  /// Returns the payload of a message, rebuilt from the parsed push.
  ///
  /// The push doesn't say which of the names for an address was used, so the sample's are tried.
  static func rebuilt(_ push: ReceivedPush, like sample: JSONObject) throws -> JSONObject {
    guard let message = (push.event(isForeground: false) as? AlertArrived)?.message else {
      return JSONObject()
    }
    var members = JSONObject()
    for field in [ObjectField.unknown, .customKeys] {
      for member in try object(message.json(field) ?? Array("{}".utf8)) {
        members[member.name] = member.value
      }
    }
    let names: [(ObjectField, [String])] = [
      (.id, ["_m"]), (.requestID, ["_r"]), (.messageHash, ["_h"]), (.url, ["_od", "_x"]),
      (.mediaURL, ["_mediaUrl"]), (.mediaText, ["_mediaAlt"]), (.title, ["title"]),
      (.subtitle, ["subtitle"]), (.alert, ["alert"]), (.sound, ["sound"]),
    ]
    for (field, candidates) in names {
      guard let text = message.text(field) else { continue }
      members[candidates.first { sample[$0]?.asText != nil } ?? ""] = .string(text)
    }
    members["_mt"] = .number("8")
    return members
  }

  private static func object(_ bytes: [UInt8]) throws -> JSONObject {
    var parser = JSONParser(bytes)
    guard case .object(let members) = try parser.parse() else { return JSONObject() }
    return members
  }
}
