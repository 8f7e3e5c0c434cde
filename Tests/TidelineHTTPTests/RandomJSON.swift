import TestSupport

/// A randomly drawn value, which JSON can express in many ways.
indirect enum Drawn: Hashable {
  case null
  case flag(Bool)
  case integer(Int64)
  case text(String)
  case list([Drawn])
  case object([Pair])

  struct Pair: Hashable {
    var name: String
    var value: Drawn
  }
}

/// Draws values, and writes them with every kind of spaces and escapes.
struct JSONDrawer {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  mutating func once(in count: Int) -> Bool { below(count) == 0 }

  private static let letters = Array(
    "abcXYZ 0189/\"\\\n\t\u{1}\u{7F}éßЖ日本😀👩‍👩‍👧‍👦\u{10FFFF}\u{FFFD}e\u{301}")

  mutating func text() -> String {
    let length = once(in: 8) ? below(200) : below(12)
    return String((0..<length).map { _ in Self.letters[below(Self.letters.count)] })
  }

  /// Draws any value, nested a few deep.
  mutating func anything(depth: Int = 0) -> Drawn {
    switch below(depth < 4 ? 7 : 5) {
    case 0: .null
    case 1: .flag(once(in: 2))
    case 2: .integer(Int64(below(2_000_000)) - 1_000_000)
    case 3, 4: .text(text())
    case 5: .list((0..<below(4)).map { _ in anything(depth: depth + 1) })
    default:
      .object(
        (0..<below(4)).map { Drawn.Pair(name: "k\($0)", value: anything(depth: depth + 1)) })
    }
  }
}

extension JSONDrawer {
  /// Writes a JSON text for the value.
  mutating func written(_ value: Drawn) -> String {
    space() + body(value) + space()
  }

  private mutating func body(_ value: Drawn) -> String {
    switch value {
    case .null: return "null"
    case .flag(let flag): return flag ? "true" : "false"
    case .integer(let integer): return integer.description
    case .text(let text): return quoted(text)
    case .list(let items):
      var parts: [String] = []
      for item in items { parts.append(written(item)) }
      return "[\(parts.isEmpty ? space() : parts.joined(separator: ","))]"
    case .object(let pairs):
      var parts: [String] = []
      for pair in pairs.shuffled(using: &generator) {
        parts.append("\(space())\(quoted(pair.name))\(space()):\(written(pair.value))")
      }
      return "{\(parts.isEmpty ? space() : parts.joined(separator: ","))}"
    }
  }

  private mutating func space() -> String {
    once(in: 6) ? String((0..<below(4)).map { _ in [" ", "\n", "\r", "\t"][below(4)] }) : ""
  }

  private mutating func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars { quoted += escaped(scalar) }
    return quoted + "\""
  }

  private mutating func escaped(_ scalar: Unicode.Scalar) -> String {
    if once(in: 10) { return units(scalar) }
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "/" where once(in: 2): return "\\/"
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\u{0}"..<"\u{20}": return units(scalar)
    default: return String(scalar)
    }
  }

  private mutating func units(_ scalar: Unicode.Scalar) -> String {
    let isLarge = once(in: 2)
    return scalar.utf16.map { unit in
      let digits = String(unit, radix: 16, uppercase: isLarge)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
