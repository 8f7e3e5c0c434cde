import EventStore
import TestSupport

extension PayloadFields {
  /// One field of every type, twice where a type has a small and a large form.
  static let everyType: PayloadFields = [
    1: .null,
    2: .boolean(false),
    3: .boolean(true),
    4: .integer(-1),
    5: .integer(.max),
    6: .double(-0.5),
    7: .text("né"),
    15: .bytes([0, 0xFF]),
    16: .fields([1: .text(""), 9: .fields([:])]),
    PayloadFormat.fieldNumberLimit: .list([.null, .integer(64), .list([.boolean(true)])]),
  ]

  /// Random fields, nested at most `depth` deep.
  static func random(depth: Int, using generator: inout SeededGenerator) -> PayloadFields {
    var fields = PayloadFields()
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      let bits = Int.random(in: 1...28, using: &generator)
      let number = Int.random(in: 1...(1 << bits), using: &generator)
      fields[number] = .random(depth: depth, using: &generator)
    }
    return fields
  }
}

extension PayloadValue {
  static func random(depth: Int, using generator: inout SeededGenerator) -> PayloadValue {
    switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &generator) {
    case 0: .null
    case 1: .boolean(.random(using: &generator))
    case 2: .integer(.random(using: &generator))
    case 3: .double(Double(bitPattern: generator.next()))
    case 4: .text(.random(using: &generator))
    case 5: .bytes(.random(using: &generator))
    case 6: .fields(.random(depth: depth - 1, using: &generator))
    default:
      .list(
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in
          .random(depth: depth - 1, using: &generator)
        })
    }
  }
}

extension Int64 {
  /// A random integer of any magnitude, with each number of bits equally likely.
  static func random(using generator: inout SeededGenerator) -> Int64 {
    Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0...63, using: &generator)
  }
}

extension String {
  static func random(using generator: inout SeededGenerator) -> String {
    let parts = ["a", "\0", "\"", "é", "e\u{301}", "語", "🐚", "\u{2028}", "\u{10FFFF}", "\u{1F}"]
    return (0..<Int.random(in: 0...60, using: &generator))
      .map { _ in parts.randomElement(using: &generator) ?? "" }
      .joined()
  }
}

extension [UInt8] {
  static func random(upTo limit: Int = 200, using generator: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
      UInt8(truncatingIfNeeded: generator.next())
    }
  }
}
