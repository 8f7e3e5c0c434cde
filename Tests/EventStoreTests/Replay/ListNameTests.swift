import EventStore
import Testing

@Suite struct ListNameTests {
  /// Texts that read the same but have other bytes are different groups, and so name different
  /// lists.
  @Test func textsThatReadTheSame_nameTwoLists() {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(composed == decomposed)
    let lists = [composed, decomposed, composed].map {
      ListName("tagged", group: .text($0))
    }
    #expect(lists[0] != lists[1] && lists[0] == lists[2])
    #expect(Set(lists).count == 2)
    #expect(Set(lists.map { ListName("tagged", group: $0.group, scope: 1) }).count == 2)
    #expect(
      ListName("tagged", group: .text("1"))
        != ListName("tagged", group: .number(1)))
  }

  /// A mark at the start of a group is one character with what precedes it.
  @Test(arguments: ["a", "", "/", "a:b/c", "\u{301}a", "\u{FE0F}", "\u{200D}/b"])
  func textForm_isParsed(group: String) {
    let views = [
      ViewDefinition("tagged", of: Letter.all).grouped(by: Letter.tags),
      ViewDefinition("tagged:", of: Letter.all),
      ViewDefinition("counted", of: Letter.all).grouped(by: Letter.tags).within(Letter.count),
    ]
    for list in [
      ListName("tagged", group: .text(group)),
      ListName("counted", group: .text(group), scope: -3),
    ] where "\(list)" != "tagged:" {
      #expect(ListName("\(list)", among: views) == list)
    }
    #expect(ListName("tagged:", among: views) == ListName("tagged:"))
    #expect(ListName("tagged:/", among: views) == ListName("tagged", group: .text("/")))
    for text in ["tagged", "tagged\u{301}", "counted:", "counted:a", "counted:a/b"] {
      #expect(ListName(text, among: views) == nil, "\(text)")
    }
  }

  /// A file on disk identifies lists by these texts.
  @Test func groupKey_isAsOnDisk() {
    let groups: [ListName.Group?] = [
      nil, .text("inbox"), .text(""), .number(7), .number(-1), .noValue,
    ]
    let keys = groups.map { ListName("a", group: $0).groupKey }
    #expect(keys == ["", "+inbox", "=0", "=7", "=18446744073709551615", "-"])
    let divided = groups.dropFirst().map { ListName("a", group: $0, scope: -3).groupKey }
    #expect(divided == keys.dropFirst().map { "-3/" + $0 })
  }

  @Test func value_isThatOfItsGroup() {
    #expect(ListName.Group("inbox") == .text("inbox"))
    #expect(ListName.Group(Letter.Rank.high) == .number(2))
    #expect(ListName.Group(true) == .number(1))
    #expect(ListName.Group(Timestamp(rawValue: -5)) == .number(-5))
    #expect(ListName.Group(-0.0) == .number(0))
    #expect(ListName.Group(nil as Int?) == .noValue)
    #expect(("open" as ListName) == ListName("open"))
  }

  @Test func misuse() async {
    await #expect(processExitsWith: .failure) { _ = ListName.Group(["a"]) }
    await #expect(processExitsWith: .failure) {
      _ = ViewPlan(ViewDefinition("a", of: Letter.all), seed: 1)
        .word(of: ListName("a", group: .noValue))
    }
    await #expect(processExitsWith: .failure) {
      let definition = ViewDefinition("a", of: Letter.all).grouped(by: Letter.tags)
      _ = ViewPlan(definition, seed: 1).word(of: "a")
    }
    await #expect(processExitsWith: .failure) {
      let definition = ViewDefinition("a", of: Letter.all).grouped(by: Letter.tags)
      _ = ViewPlan(definition, seed: 1).word(of: ListName("a", group: .text("b"), scope: 1))
    }
  }
}
