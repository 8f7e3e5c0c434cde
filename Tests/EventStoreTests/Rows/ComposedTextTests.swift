import EventStore
import LMDB
import TestSupport
import Testing

/// Texts that are composed in a row, compared with texts that are set.
@Suite struct ComposedTextTests {
  private static let first = Field<String>("first", 1)
  private static let reference = Field<TextReference>("reference", 2)
  private static let second = Field<String>("second", 3)
  private static let number = Field<Int>("number", 4)
  private static let other = Field<TextReference>("other", 5)
  private static let third = Field<String>("third", 6)
  private static let list = Field<Set<String>>("list", 7)
  private static let small = Field<String>("small", 8)
  private static let last = Field<TextReference>("last", 9)
  private static let collection = RowCollection(
    "things", number: 1, first, reference, second, number, other, third, list, small, last)
  private static let texts = [first, second, third]
  private static let contents: [[UInt8]] = [
    [], Array("plain".utf8), Array("né ﬁ".utf8), [0xFF], [0x41, 0xC3],
    Array(repeating: 0x61, count: 300),
  ]

  /// In whatever order fields are set, and wherever the row is in its arena.
  @Test(arguments: 0..<UInt64(Campaign.size(300, long: 10_000)))
  func composedTexts_areAsSetTexts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var row = try Self.row(&random)
    var model = try MutableRow("id", Self.collection.shape)
    let behind = row.arena[(row.start + row.room)...]
    for _ in 0..<12 {
      Self.change(&row, &model, &random)
      let (mine, theirs) = (Row(row.view, row.shape), Row(model.view, model.shape))
      #expect(mine.storage == theirs.storage, "seed \(seed)")
    }
    #expect(behind.isEmpty || row.arena[behind.indices] == behind, "seed \(seed)")
  }

  /// In whatever order fields are set while the row is filled, it ends up the same, and every value
  /// can be read meanwhile.
  @Test(arguments: 0..<UInt64(Campaign.size(300, long: 10_000)))
  func filledRow_isAsSetFieldByField(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var row = try Self.row(&random)
    var model = try MutableRow("id", Self.collection.shape)
    let (before, behind) = (row.arena[..<row.start], row.arena[(row.start + row.room)...])
    row.fill { row in
      #expect(row.isLoose == behind.isEmpty)
      for _ in 0..<12 {
        Self.change(&row, &model, &random)
        for field in Self.texts { #expect(row[field] == model[field], "seed \(seed)") }
        for field in [Self.reference, Self.other, Self.last] {
          #expect(row[field] == model[field], "seed \(seed)")
        }
        #expect(row[Self.list] == model[Self.list], "seed \(seed)")
      }
    }
    let (mine, theirs) = (Row(row.view, row.shape), Row(model.view, model.shape))
    #expect(mine.storage == theirs.storage && !row.isLoose, "seed \(seed)")
    let isLast = row.start + row.room == row.arena.count
    #expect(row.arena[before.indices].elementsEqual(before), "seed \(seed)")
    #expect(behind.isEmpty ? isLast : row.arena[behind.indices] == behind, "seed \(seed)")
  }

  private static func change(
    _ row: inout MutableRow, _ model: inout MutableRow, _ random: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<13, using: &random) {
    case 0:
      row[number] = 7
      model[number] = 7
    case 1: set(reference, &row, &model)
    case 2: set(other, &row, &model)
    case 3: set(last, &row, &model)
    case 4:
      row[second] = nil
      model[second] = nil
    case 5: set(list, &row, &model, &random)
    case 6:
      row[list] = nil
      model[list] = nil
    case 7: setSmall(of: second, &row, &model)
    case 8:
      row[third] = "set, not composed"
      model[third] = "set, not composed"
    case 9:
      row[other] = nil
      model[other] = nil
    default: compose(&row, &model, &random)
    }
  }

  /// A text that the row has no room for is refused as if it was set.
  @Test func tooLargeText_isRefused() throws {
    var table = RowTable(Self.collection)
    table.beginBatch()
    table.beginEvent()
    let row = try table.create(Array("id".utf8).raw)
    #expect(throws: RowError.self) {
      try table.edit(row) { row in
        _ = row.set(Self.first) { text in
          text.bytes.append(contentsOf: repeatElement(0x61, count: 1 << 16))
          return true
        }
      }
    }
    table.rollBackEvent()
    table.endBatch()
    try table.checkInvariants()
  }

  /// A text that takes less than the room that the row has left is rolled back like any other.
  @Test func composedText_isRolledBack() throws {
    var table = RowTable(Self.collection)
    table.beginBatch()
    table.beginEvent()
    let row = try table.create(Array("id".utf8).raw) { row in
      row[Self.first] = String(repeating: "a", count: 400)
      row[Self.second] = "b"
    }
    table.endEvent()
    let before = try Self.values(row, in: table)
    table.beginEvent()
    var isSet = false
    try table.edit(row) { row in
      isSet = row.set(Self.third) { text in
        text.bytes.append(UInt8(ascii: "c"))
        return true
      }
    }
    table.rollBackEvent()
    table.endBatch()
    let after = try Self.values(row, in: table)
    #expect(isSet && !before.isEmpty && before == after)
    try table.checkInvariants()
  }

  /// An event that fills a row without values, which an earlier event has made, is rolled back.
  @Test func filledRow_isRolledBack() throws {
    var table = RowTable(Self.collection)
    table.beginBatch()
    table.beginEvent()
    let row = try table.create(Array("id".utf8).raw)
    table.endEvent()
    let before = try Self.values(row, in: table)
    table.beginEvent()
    var wasLoose = false
    try table.edit(row) { row in
      wasLoose = row.isLoose
      row[Self.second] = "b"
      row[Self.first] = String(repeating: "a", count: 400)
    }
    table.rollBackEvent()
    let after = try Self.values(row, in: table)
    #expect(wasLoose && !before.isEmpty && before == after)
    table.beginEvent()
    try table.edit(row) { $0[Self.first] = "a" }
    table.endEvent()
    table.endBatch()
    try table.checkInvariants()
  }

  private static func values(_ row: RowID, in table: borrowing RowTable) throws -> [UInt8] {
    try table.withRow(row) { row in
      if let row { row.bytes.array } else { [] }
    }
  }

  /// Returns a row that is the last of its arena, or is not.
  private static func row(_ random: inout SeededGenerator) throws -> MutableRow {
    let row = try MutableRow("id", collection.shape)
    let before = [UInt8](repeating: 9, count: 8 * Int.random(in: 0..<3, using: &random))
    let behind = [UInt8](repeating: 8, count: Bool.random(using: &random) ? 24 : 0)
    let head = [UInt8](repeating: 0, count: MutableRow.headCount)
    let bytes = row.view.bytes.array
    return MutableRow(
      before + head + bytes + behind, start: before.count + head.count, count: bytes.count,
      room: bytes.count, collection.shape)
  }

  private static func set(
    _ field: Field<TextReference>, _ row: inout MutableRow, _ model: inout MutableRow
  ) {
    let content = [UInt8]("content".utf8)
    let reference = TextReference(
      record: RecordNumber(rawValue: 3), field: 1, content: content.raw)
    row[field] = reference
    model[field] = reference
  }

  private static func set(
    _ field: Field<Set<String>>, _ row: inout MutableRow, _ model: inout MutableRow,
    _ random: inout SeededGenerator
  ) {
    let texts = ["a", "bb", "", "ab", "é"].shuffled(using: &random).prefix(3)
    let isSet = row.set(field) { list in texts.allSatisfy { list.insert($0) } }
    #expect(isSet == !texts.contains("é"))
    if isSet { model[field] = Set(texts) }
  }

  private static func setSmall(
    of field: Field<String>, _ row: inout MutableRow, _ model: inout MutableRow
  ) {
    row[field] = "Some LETTERS"
    model[field] = "Some LETTERS"
    let isSet = row.set(small, toSmallLettersOf: field)
    #expect(isSet)
    model[small] = "some letters"
  }

  private static func compose(
    _ row: inout MutableRow, _ model: inout MutableRow, _ random: inout SeededGenerator
  ) {
    guard let field = texts.randomElement(using: &random),
      let content = contents.randomElement(using: &random)
    else { return }
    let isGood = Int.random(in: 0..<4, using: &random) > 0
    let isSet = row.set(field) { text in
      for byte in content { text.bytes.append(byte) }
      #expect(text.count == content.count)
      return isGood
    }
    let text = String(validating: content, as: UTF8.self)
    #expect(isSet == (isGood && text != nil))
    if isSet { model[field] = text }
  }
}
