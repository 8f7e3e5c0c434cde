import EventStore
import Foundation
import TestSupport

/// A toy collection with fields of every kind that views can ask about.
enum Letter {
  enum Rank: Int, FieldValue, CaseIterable { case low, normal, high }

  static let count = Field<Int64>("count", 1)
  static let isRead = Field<Bool>("isRead", 2)
  static let date = Field<Timestamp>("date", 3)
  static let price = Field<Double>("price", 4)
  static let title = Field<String>("title", 5)
  static let folder = Field<String>("folder", 6)
  static let tags = Field<Set<String>>("tags", 8)
  static let body = Field<TextReference>("body", 9)
  static let parent = Field<RowID>("parent", 10)
  static let rank = Field<Rank>("rank", 64)

  static let all = RowCollection(
    "letters", number: 7, count, isRead, date, price, title, folder, tags, body, parent, rank)

  static let counts: [Int64] = [.min, .min + 1, -1, 0, 1, 2, .max - 1, .max]
  static let prices: [Double] = [
    -.infinity, -1, -.leastNonzeroMagnitude, -0.0, 0, 1.5, .greatestFiniteMagnitude, .infinity,
    .nan, -.nan,
  ]
  static let dates = counts.map(Timestamp.init(rawValue:))

  /// Returns a letter whose values are drawn from few, so that many are equal.
  static func sample(id: String, using random: inout SeededGenerator) throws -> Row {
    let (title, folder) = (Texts.sample(using: &random), Texts.sample(using: &random))
    let tags = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      Texts.pieces.randomElement(using: &random) ?? ""
    }
    let present = UInt64.random(in: 0 ... .max, using: &random)
    var draws = SeededGenerator(seed: random.next())
    return try Row(id, in: all) { row in
      if present & 1 == 1 { row[count] = counts.randomElement(using: &draws) }
      if present & 2 == 2 { row[isRead] = Bool.random(using: &draws) }
      if present & 4 == 4 { row[date] = dates.randomElement(using: &draws) }
      if present & 8 == 8 { row[price] = prices.randomElement(using: &draws) }
      if present & 16 == 16 { row[Letter.title] = title }
      if present & 32 == 32 { row[Letter.folder] = folder }
      if present & 64 == 64 { row[Letter.tags] = Set(tags) }
      if present & 128 == 128 { row[body] = TextReference.sample(using: &draws) }
      if present & 256 == 256 { row[rank] = Rank.allCases.randomElement(using: &draws) }
    }
  }
}

/// A text as it is ordered: by the scalars of its NFC form.
///
/// Swift's `<` isn't that order where one NFC form begins with the whole other.
struct NormalText: Comparable {
  let scalars: [UInt32]

  init(_ text: String) {
    var scalars: [UInt32] = []
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars.map(\.value) {
      // Foundation leaves a final consonant after a syllable alone; Unicode composes them.
      if let last = scalars.last, 0xAC00...0xD7A3 ~= last, (last - 0xAC00).isMultiple(of: 28),
        0x11A8...0x11C2 ~= scalar
      {
        scalars[scalars.count - 1] = last + scalar - 0x11A7
      } else {
        scalars.append(scalar)
      }
    }
    self.scalars = scalars
  }

  static func < (a: Self, b: Self) -> Bool { a.scalars.lexicographicallyPrecedes(b.scalars) }
}

/// Texts whose order differs from that of their bytes.
enum Texts {
  /// ASCII, controls, marks that merge with the character before, characters that stand for others,
  /// and characters that stay as they are.
  static let pieces: [String] = [
    "a", "b", "e", "k", "K", "q", ";", "`", "~", "\u{7F}", "\u{80}", "\0", "\u{1}", "\u{2}", "\r",
    "\n", "\u{301}", "\u{327}", "\u{316}", "\u{338}", "\u{344}", "\u{340}", "é", "e\u{301}", "ü",
    "ß", "\u{212A}", "\u{37E}", "\u{1FEF}", "\u{2126}", "\u{212B}", "Å", "\u{2000}", "’", "…",
    "И", "Й", "\u{1100}", "\u{1161}", "\u{11A8}", "가", "각", "か", "が", "\u{3099}", "漢", "\u{F900}",
    "\u{958}", "\u{9C7}", "\u{9BE}", "\u{FB1D}", "😀", "\u{1F3FD}", "👩‍👩‍👧", "\u{1D15E}", "\u{FFFF}",
    "\u{10FFFF}",
  ]

  static func sample(using random: inout SeededGenerator) -> String {
    let isMostlyASCII = Bool.random(using: &random)
    let count = Int.random(in: 0..<11, using: &random)
    return (0..<count).map { _ -> String in
      let isASCII = isMostlyASCII && Int.random(in: 0..<8, using: &random) > 0
      let range = isASCII ? 0..<3 : pieces.indices
      return pieces[Int.random(in: range, using: &random)]
    }.joined()
  }

  /// Returns two texts with a common beginning, as it is or respelled.
  static func pair(using random: inout SeededGenerator) -> (String, String) {
    let shared = sample(using: &random)
    return (shared + sample(using: &random), shared + sample(using: &random))
  }
}
