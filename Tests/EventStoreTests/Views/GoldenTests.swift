import EventStore
import LMDB
import TestSupport
import Testing

/// Values that are stored on disk, and so are the same on every platform and in every build.
@Suite struct GoldenTests {
  @Test func planHashes() {
    let unread = Letter.isRead == false && Letter.date > Timestamp(rawValue: 1_000)
    let hashes = [
      ViewDefinition("all", of: Letter.all),
      ViewDefinition("all", of: Letter.all, version: 2),
      ViewDefinition(
        "unread", of: Letter.all, where: unread, orderedBy: [Letter.date.descending]),
      ViewDefinition(
        "unread", of: Letter.all, where: unread, orderedBy: [Letter.date.descending]
      ).grouped(by: Letter.tags),
      ViewDefinition(
        "texts", of: Letter.all,
        where: Letter.title.hasPrefix("Re:") || Letter.folder >= "m" || Letter.price != 1.5
          || Letter.tags.intersects(["a", "ü"]) && Letter.body == nil,
        orderedBy: [Letter.title.ascending, Letter.price.descending]),
    ].map(\.planHash)
    #expect(
      hashes == [
        10_247_116_344_635_414_258, 10_155_866_890_561_969_111, 761_840_464_778_246_803,
        11_775_348_497_563_658_625, 8_696_346_020_935_637_450,
      ])
  }

  @Test func names_areNotHashed() {
    let (title, other) = (Field<String>("title", 5), Field<String>("subject", 5))
    let first = ViewDefinition(
      "a", of: RowCollection("a", number: 7, title), where: title == "x",
      orderedBy: [title.ascending])
    let second = ViewDefinition(
      "b", of: RowCollection("b", number: 7, other), where: other == "x",
      orderedBy: [other.ascending])
    #expect(first.planHash == second.planHash)
  }

  /// Each of these definitions does something different.
  @Test func everythingElse_isHashed() {
    let (date, title) = (Letter.date, Letter.title)
    let other = RowCollection("letters", number: 8, fields: Letter.all.fields)
    let definitions = [
      ViewDefinition("a", of: Letter.all), ViewDefinition("a", of: other),
      ViewDefinition("a", of: Letter.all, where: .never),
      ViewDefinition("a", of: Letter.all, version: 2),
      ViewDefinition("a", of: Letter.all).grouped(by: Letter.tags),
      ViewDefinition("a", of: Letter.all).grouped(by: title),
      ViewDefinition("a", of: Letter.all, orderedBy: [date.ascending]),
      ViewDefinition("a", of: Letter.all, orderedBy: [date.descending]),
      ViewDefinition("a", of: Letter.all, orderedBy: [date.ascending, title.ascending]),
      ViewDefinition("a", of: Letter.all, orderedBy: [title.ascending, date.ascending]),
    ]
    #expect(Set(definitions.map(\.planHash)).count == definitions.count)
    let again = ViewDefinition(
      "a", of: Letter.all, orderedBy: [date.ascending, title.ascending, date.descending])
    #expect(again.planHash == definitions[8].planHash)
  }

  @Test func keys() throws {
    let definition = ViewDefinition(
      "a", of: Letter.all,
      orderedBy: [Letter.date.descending, Letter.title.ascending, Letter.count.ascending])
    let plan = ViewPlan(definition.grouped(by: Letter.folder), seed: 3)
    let row = try Row("id", in: Letter.all) {
      $0[Letter.date] = Timestamp(rawValue: 258)
      $0[Letter.title] = "Grüße"
      $0[Letter.folder] = "inbox"
    }
    let values: [ListName.Group] = [.text("inbox"), .noValue]
    let groups = values.map { plan.word(of: ListName("a", group: $0)) }
    #expect(groups == [15_369_900_775_796_597_399, 5_793_235_885_850_592_010])
    let words: [UInt8] = [
      1, 0, 0, 0, 0, 0, 0, 0, 0xFD, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F,
      0, 0, 0, 0, 0, 0x80, 0x72, 0x47, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    let tail = [8, 0] + Array("Grüße".utf8) + [0] + Array("id".utf8)
    #expect(plan.key(of: row.view, in: 1).bytes == words + tail)
  }
}
