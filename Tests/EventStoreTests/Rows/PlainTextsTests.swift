import EventStore
import TestSupport
import Testing

/// Texts that are changed as bytes, compared with sets of texts.
@Suite struct PlainTextsTests {
  private static let tags = Field<Set<String>>("tags", 1)
  private static let name = Field<String>("name", 2)
  private static let folded = Field<String>("folded", 3)
  private static let collection = RowCollection("things", number: 1, tags, name, folded)
  private static let texts = ["", "a", "ab", "abc", "b", "Zebra", "tag-10", "tag-1", "é", "ﬁ"]

  @Test(arguments: 0..<UInt64(Campaign.size(200, long: 10_000)))
  func plainTexts_areAsSetsAre(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = Set(Self.texts.shuffled(using: &random).prefix(3))
    var row = try MutableRow("id", Self.collection.shape)
    row[Self.tags] = model
    for _ in 0..<20 {
      let text = Self.texts.randomElement(using: &random) ?? ""
      var texts = row.texts(Self.tags)
      let isInsertion = Bool.random(using: &random)
      let isPlain = isInsertion ? texts.insert(text) : texts.remove(text)
      #expect(isPlain == text.utf8.allSatisfy { $0 < 0x80 }, "seed \(seed)")
      if isPlain { if isInsertion { model.insert(text) } else { model.remove(text) } }
      row.set(Self.tags, texts)
      var other = try MutableRow("id", Self.collection.shape)
      other[Self.tags] = model.isEmpty ? nil : model
      let (mine, theirs) = (Row(row.view, row.shape), Row(other.view, other.shape))
      #expect(mine.storage == theirs.storage, "seed \(seed)")
      #expect(row.has(text, in: Self.tags) == model.contains(text), "seed \(seed)")
      #expect(texts.count == model.count, "seed \(seed)")
    }
  }

  @Test func smallLetters_areThoseOfPlainTexts() throws {
    for text in ["", "Zebra [X] `Y` @Z", "no more", String(repeating: "AbC", count: 40)] {
      var row = try MutableRow("id", Self.collection.shape)
      row[Self.name] = text
      let isPlain = row.set(Self.folded, toSmallLettersOf: Self.name)
      #expect(isPlain && row[Self.folded] == text.lowercased())
    }
    var row = try MutableRow("id", Self.collection.shape)
    let isPlain = row.set(Self.folded, toSmallLettersOf: Self.name)
    #expect(isPlain && row[Self.folded] == "")
    row[Self.name] = "Étude"
    let isDone = row.set(Self.folded, toSmallLettersOf: Self.name)
    #expect(!isDone && row[Self.folded] == "")
  }
}
